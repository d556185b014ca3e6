package dev.escapement.guard;

/**
 * Room before the fields of a subclass, so that what is read with every call shares no cache line with what a neighbour writes.
 *
 * <p>The collector lays objects of one kind side by side. Only the front is padded: the next object's own padding is the back.
 * 120 bytes and the header cover two lines of 64, which processors like to fetch in pairs.
 */
@SuppressWarnings("unused") // by design
abstract class Padding {
    long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14;
}
