package dev.escapement.checker;

import dev.escapement.http.Request;

/**
 * One endpoint of the list. Immutable.
 *
 * @param line where it stands in the input, from 1
 * @param id the caller's name for it, free of blanks and of everything a terminal would act on; need not be unique
 */
record Endpoint(long line, String id, Request request) {}
