package dev.escapement.gateway.proxy;

/** A fixed set of field names, asked without regard to case and without making an object. Immutable. */
final class FieldNames {

    /** Open addressing; a power of two, at most a quarter full. */
    private final String[] slots;

    private FieldNames(String[] slots) {
        this.slots = slots;
    }

    static FieldNames of(String... names) {
        String[] slots = new String[Integer.highestOneBit(4 * names.length) << 1];
        for (String name : names) {
            int at = hash(name) & (slots.length - 1);
            while (slots[at] != null) {
                at = (at + 1) & (slots.length - 1);
            }
            slots[at] = name;
        }
        return new FieldNames(slots);
    }

    @SuppressWarnings("NullAway") // An empty slot ends the search.
    boolean contains(String name) {
        for (int at = hash(name) & (slots.length - 1); slots[at] != null; at = (at + 1) & (slots.length - 1)) {
            if (slots[at].equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    private static int hash(String name) {
        int hash = name.length();
        for (int i = 0; i < name.length(); i++) {
            // Letters lose their case; what else that makes alike is told apart by comparing.
            hash = 31 * hash + (name.charAt(i) | 0x20);
        }
        return hash ^ (hash >>> 16);
    }
}
