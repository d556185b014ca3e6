package dev.escapement.gateway.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The live page: one file with its script and its style in it. Its policy lets a browser run just these, told by their hashes, and fetch
 * from here alone. Immutable.
 */
final class LivePage {

    private static final String FILE = "live.html";

    private final Answer answer;

    private LivePage(Answer answer) {
        this.answer = answer;
    }

    static LivePage load() {
        try (InputStream in = LivePage.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException(FILE + " is missing from the jar");
            }
            byte[] page = in.readAllBytes();
            String text = new String(page, StandardCharsets.UTF_8);
            String policy = "default-src 'none'; script-src '" + hash(text, "script") + "'; style-src '"
                    + hash(text, "style") + "'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";
            return new LivePage(
                    Answer.of(200, "text/html; charset=utf-8", page).with("Content-Security-Policy", policy));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Answer answer() {
        return answer;
    }

    /** Of the text within the one element of that name, as browsers compute it. */
    private static String hash(String page, String element) {
        String opening = "<" + element + ">";
        int start = page.indexOf(opening) + opening.length();
        byte[] within =
                page.substring(start, page.indexOf("</" + element + ">", start)).getBytes(StandardCharsets.UTF_8);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(within);
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
