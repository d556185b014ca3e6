package dev.escapement.gateway.config;

/** Where something stands in a text: line and column, from 1. */
record Place(int line, int column) {

    static final Place START = new Place(1, 1);
}
