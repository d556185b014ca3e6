/**
 * The operators' port: health, metrics, what runs and by which configuration, two actions, and the live page.
 *
 * <p>{@link dev.escapement.gateway.admin.AdminServer} answers on threads of its own, so that it does while the loops that serve clients are
 * busy; what it shows it reads from an {@link dev.escapement.gateway.admin.AdminView}, at the moment it is asked. Nothing here is on the
 * path of a request.
 */
@NullMarked
package dev.escapement.gateway.admin;

import org.jspecify.annotations.NullMarked;
