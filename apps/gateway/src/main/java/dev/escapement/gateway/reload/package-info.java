/**
 * Which configuration is in force, and how another one comes into force.
 *
 * <p>{@link dev.escapement.gateway.reload.ConfigStore} holds the running version behind one volatile field; {@link
 * dev.escapement.gateway.reload.ReloadLoop} is the thread that goes over to another, whoever asked: a signal, an operator, or a file that
 * has changed. All take one path: read the bytes once, parse, check, build everything, then one write. Whatever goes wrong before that write
 * leaves the running version whole.
 */
@NullMarked
package dev.escapement.gateway.reload;

import org.jspecify.annotations.NullMarked;
