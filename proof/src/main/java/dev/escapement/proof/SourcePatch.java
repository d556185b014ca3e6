package dev.escapement.proof;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One change to one source file: a text, which occurs in it exactly once, and what stands there instead.
 *
 * <p>Blanks and line ends of the text to find stand for any, so that reformatting the file leaves the patch as it is. Any
 * other change to what is found makes {@link #apply} fail, and whoever keeps the patch has to look at it again.
 *
 * <p>Immutable.
 *
 * @param file relative to its module's source root, such as {@code dev/escapement/call/Lane.java}
 * @param find not blank
 * @param put may be empty
 */
public record SourcePatch(String file, String find, String put) {

    /**
     * Refuses what can never be applied.
     *
     * @throws IllegalArgumentException if there is nothing to find, or nothing changes
     */
    public SourcePatch {
        if (find.isBlank()) {
            throw new IllegalArgumentException("a patch of " + file + " has nothing to find");
        }
        if (find.equals(put)) {
            throw new IllegalArgumentException("a patch of " + file + " puts what it finds: " + find);
        }
    }

    /**
     * The source with the text replaced.
     *
     * @throws IllegalArgumentException if the text does not occur exactly once
     */
    public String apply(String source) {
        Matcher matcher = pattern().matcher(source);
        if (!matcher.find()) {
            throw new IllegalArgumentException(file + " has nothing like: " + find);
        }
        int start = matcher.start();
        int end = matcher.end();
        if (matcher.find()) {
            throw new IllegalArgumentException(file + " has more than one of: " + find);
        }
        return source.substring(0, start) + put + source.substring(end);
    }

    /**
     * The file as it stands, with the text replaced.
     *
     * @throws IllegalArgumentException if the text does not occur exactly once
     */
    public String patched() {
        return apply(SourceTree.ofFile(file).read(file));
    }

    /**
     * Compiles the patched file, as part of its package.
     *
     * @throws IllegalArgumentException if the text does not occur exactly once, or the compiler refuses the result
     */
    public PatchedClasses compile() {
        return PatchedClasses.compile(file, patched());
    }

    private Pattern pattern() {
        return Pattern.compile(
                Stream.of(find.strip().split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+")));
    }
}
