/**
 * How does a request get over a real socket, and what did the socket see of it? HTTP/1.1 over Netty, and schedulers on
 * Netty's event loops.
 *
 * <p>{@link dev.escapement.netty.NettyTransport} is the transport, {@link dev.escapement.netty.NettyTransportBuilder} its
 * settings, {@link dev.escapement.netty.PoolStats} its figures; {@link dev.escapement.netty.EventLoopSchedulers} gives calls a home
 * on the loops, so that call, timer, connection and answer never change threads.
 *
 * <p><b>Who does what, per event loop.</b> A {@code Lane} is one attempt; a {@code Turn} is what it does on one connection, an explicit state
 * machine; a {@code GivenResponse} is one that the engine took at its head (A8), an {@code IncomingBody} its parts on their way to a reader, and an
 * {@code Upload} reads a request in parts. A {@code ConnectionPool} lends it a
 * {@code Connection}, which is one socket and the only handler that releases what it reads. A {@code RequestWrite} hands the
 * request over and counts what the socket accepts; a {@code ResponseDecoder} turns bytes into one response. A
 * {@code Connecting} is a connection on its way up: its name by a {@code Lookup} that the loops share, its addresses by a
 * {@code DialRace}, then TLS. Decisions are pure: {@code ReuseRule} (may the connection stay), {@code EndRule} (what its end
 * means), {@code HeadParser} (what a head says).
 *
 * <p><b>What it is made of.</b> {@link dev.escapement.netty.IoKind} says which sockets, {@link dev.escapement.netty.TlsSettings} how TLS is
 * spoken, {@link dev.escapement.netty.NameResolver} where addresses come from; what is optional among them is used where it is on the
 * class path.
 *
 * <p><b>What the loops share.</b> An {@code Origin} is one destination over all loops: one {@code SharedLimit} of places and waiters, which
 * lending and giving back only read, and the addresses that its name stands for. A lane that has to wait is served by
 * whichever loop has something first, and goes there; connections stay where they are.
 *
 * <p><b>Who runs it.</b> Everything but that, the builder, names and the figures is confined to one event loop; attempts from elsewhere
 * are carried to one. Nothing blocks a loop: names are looked up elsewhere.
 *
 * <p>Rules kept here: E1 (counted progress, proven by {@code tryWrite}), E6 (reuse), E7 (abandoning cleans up), E9 (the closed list
 * of failures), R10 (a stale connection is replaced), A4, T2 (connecting belongs to the attempt), T6, T7 (the loops'
 * schedulers), G5 (bounds), S1 (closing). Not here: retries, deadlines and ties, which are {@code call}'s; redirects, cookies,
 * credentials, content codings, proxies (S2).
 */
@NullMarked
package dev.escapement.netty;

import org.jspecify.annotations.NullMarked;
