package dev.escapement.proof.faults;

/**
 * A fault was seen.
 *
 * @param scenario the first in which it was
 * @param what the difference, or what was thrown
 */
public record Sighting(Fault fault, long scenario, String what) {}
