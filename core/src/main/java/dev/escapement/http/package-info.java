/** The values of HTTP: methods, headers, requests, responses and bodies. */
@NullMarked
package dev.escapement.http;

import org.jspecify.annotations.NullMarked;
