package dev.escapement.gateway.inbound;

import static dev.escapement.gateway.inbound.HostileRow.refused;
import static dev.escapement.gateway.inbound.HostileRow.served;
import static dev.escapement.gateway.inbound.Refusal.CHUNK;
import static dev.escapement.gateway.inbound.Refusal.CODING_UNKNOWN;
import static dev.escapement.gateway.inbound.Refusal.CONNECTION;
import static dev.escapement.gateway.inbound.Refusal.CONTENT_LENGTH;
import static dev.escapement.gateway.inbound.Refusal.EXPECTATION;
import static dev.escapement.gateway.inbound.Refusal.FIELD;
import static dev.escapement.gateway.inbound.Refusal.HEAD_TOO_LARGE;
import static dev.escapement.gateway.inbound.Refusal.HOST;
import static dev.escapement.gateway.inbound.Refusal.LINE;
import static dev.escapement.gateway.inbound.Refusal.METHOD;
import static dev.escapement.gateway.inbound.Refusal.METHOD_UNKNOWN;
import static dev.escapement.gateway.inbound.Refusal.PATH;
import static dev.escapement.gateway.inbound.Refusal.PHANTOM_BODY;
import static dev.escapement.gateway.inbound.Refusal.REQUEST_LINE;
import static dev.escapement.gateway.inbound.Refusal.TARGET;
import static dev.escapement.gateway.inbound.Refusal.TARGET_TOO_LONG;
import static dev.escapement.gateway.inbound.Refusal.TOO_MANY_FIELDS;
import static dev.escapement.gateway.inbound.Refusal.TRAILER;
import static dev.escapement.gateway.inbound.Refusal.TRANSFER_ENCODING;
import static dev.escapement.gateway.inbound.Refusal.VERSION;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What hostile and careless clients send. A row is a line; a return sign is CR LF. */
final class HostileRows {

    private static final String P = "POST /e HTTP/1.1⏎Host: g⏎";
    private static final String G = "GET /e HTTP/1.1⏎Host: g⏎";
    private static final String C = P + "Transfer-Encoding: chunked⏎⏎";
    private static final String CANARY = "GET /canary HTTP/1.1⏎Host: g⏎⏎";
    private static final String GOT = "GET g /e|";

    private HostileRows() {}

    static Stream<HostileRow> all() {
        return Stream.of(framing(), chunks(), lines(), requestLines(), hosts(), paths(), sizes())
                .flatMap(List::stream);
    }

    private static List<HostileRow> framing() {
        List<HostileRow> rows = new ArrayList<>(List.of(
                refused("CL.TE", TRANSFER_ENCODING, P + "Content-Length: 6⏎Transfer-Encoding: chunked⏎⏎0⏎⏎G"),
                refused("TE.CL", TRANSFER_ENCODING, P + "Transfer-Encoding: chunked⏎Content-Length: 3⏎⏎1⏎Z⏎0⏎⏎"),
                refused("two lengths", CONTENT_LENGTH, P + "Content-Length: 4⏎Content-Length: 5⏎⏎abcd"),
                refused("one length twice", CONTENT_LENGTH, P + "Content-Length: 4⏎Content-Length: 4⏎⏎abcd"),
                refused(
                        "two lengths, 1.0",
                        CONTENT_LENGTH,
                        "POST /e HTTP/1.0⏎Content-Length: 4⏎Content-Length: 4⏎⏎abcd"),
                served("length with leading zeros", P + "Content-Length: 0004⏎⏎abcd", "POST g /e|abcd"),
                refused(
                        "chunked twice",
                        TRANSFER_ENCODING,
                        P + "Transfer-Encoding: chunked⏎Transfer-Encoding: chunked⏎⏎0⏎⏎"),
                served("CHUNKED", P + "Transfer-Encoding: CHUNKED⏎⏎1⏎Z⏎0⏎⏎", "POST g /e|Z"),
                refused("coding behind a blank", FIELD, P + "Transfer-Encoding : chunked⏎⏎0⏎⏎"),
                refused("coding folded", FIELD, P + "X: 1⏎ Transfer-Encoding: chunked⏎⏎0⏎⏎"),
                served("coding with _", P + "Transfer_Encoding: chunked⏎Content-Length: 3⏎⏎abc", "POST g /e|abc"),
                refused("chunked, 1.0", TRANSFER_ENCODING, "POST /e HTTP/1.0⏎Transfer-Encoding: chunked⏎⏎0⏎⏎"),
                served("CL.0", G + "Content-Length: 33⏎⏎" + CANARY, GOT + HostileRow.lines(CANARY)),
                served("0.CL", P + "⏎", "POST g /e|"),
                refused("key 1 of a phantom body", PHANTOM_BODY, G + "Sec-WebSocket-Key1: a⏎⏎12345678"),
                refused("key 2 of a phantom body", PHANTOM_BODY, G + "sec-websocket-key2: b⏎⏎12345678"),
                refused("expectation unknown", EXPECTATION, P + "Expect: 200-ok⏎Content-Length: 1⏎⏎a"),
                served(
                        "expectation, 1.0",
                        "POST /e HTTP/1.0⏎Host: g⏎Connection: keep-alive⏎Expect: x⏎Content-Length: 1⏎⏎a",
                        "POST g /e|a")));
        for (String length :
                List.of("+4", "-4", "0x4", "4 4", "4.0", "4_0", "4;", "4, 4", "", "18446744073709551617")) {
            rows.add(refused("length " + length, CONTENT_LENGTH, P + "Content-Length: " + length + "⏎⏎abcd"));
        }
        for (String coding : List.of("xchunked", "identity, chunked", "gzip, chunked", "gzip")) {
            rows.add(refused("coding " + coding, CODING_UNKNOWN, P + "Transfer-Encoding: " + coding + "⏎⏎0⏎⏎"));
        }
        for (String coding : List.of(
                "chunked, identity",
                "chunked, chunked",
                "\"chunked\"",
                ",chunked",
                "chunked;q=1",
                "\u00a0chunked",
                "")) {
            rows.add(refused("coding " + coding, TRANSFER_ENCODING, P + "Transfer-Encoding: " + coding + "⏎⏎0⏎⏎"));
        }
        rows.add(refused("coding behind VT", LINE, P + "Transfer-Encoding: \u000bchunked⏎⏎0⏎⏎"));
        return rows;
    }

    private static List<HostileRow> chunks() {
        List<HostileRow> rows = new ArrayList<>(List.of(
                refused("chunk size empty", CHUNK, C + "⏎abcd⏎0⏎⏎"),
                refused("chunk size behind a blank", CHUNK, C + " 4⏎abcd⏎0⏎⏎"),
                refused("chunk size with TAB", CHUNK, C + "4\t⏎abcd⏎0⏎⏎"),
                refused("chunk size with NUL", CHUNK, C + "4\u0000⏎abcd⏎0⏎⏎"),
                refused("chunk extension, bare LF", CHUNK, C + "3;n=v\nabc⏎0⏎⏎"),
                refused("chunk extension, line end in quotes", CHUNK, C + "3;n=\"p⏎q\"⏎abc⏎0⏎⏎"),
                refused("chunk extension, bare CR", CHUNK, C + "3;n\rv⏎abc⏎0⏎⏎"),
                refused("chunk extension of 5 KiB", CHUNK, C + "3;n=" + "v".repeat(5 * 1024) + "⏎abc⏎0⏎⏎"),
                refused("chunk extensions in sum", CHUNK, C + ("1;n=" + "v".repeat(198) + "⏎a⏎").repeat(200) + "0⏎⏎"),
                served("chunk extension", C + "3;n=\"a;\\\"b\"⏎abc⏎0;x⏎⏎", "POST g /e|abc"),
                refused("chunk with a byte too many", CHUNK, C + "4⏎abcdX⏎0⏎⏎"),
                refused("chunk ended by LF", CHUNK, C + "4⏎abcd\n0⏎⏎"),
                refused("chunk size ended by LF", CHUNK, C + "4\nabcd⏎0⏎⏎"),
                refused("last chunk with a byte too many", TRAILER, C + "0⏎X"),
                refused("last chunk with a bare CR", LINE, C + "0⏎\rX⏎⏎"),
                refused("trailer that frames", TRAILER, C + "0⏎Content-Length: 5⏎⏎"),
                refused("trailer that names a coding", TRAILER, C + "0⏎Transfer-Encoding: chunked⏎⏎"),
                refused("trailer that routes", TRAILER, C + "0⏎Host: x⏎⏎"),
                refused("trailer folded", TRAILER, C + "0⏎X: 1⏎ folded⏎⏎"),
                refused("trailer without colon", TRAILER, C + "0⏎X 1⏎⏎"),
                refused("trailer ended by LF", LINE, C + "0⏎X: 1\n⏎"),
                refused("101 trailers", TOO_MANY_FIELDS, C + "0⏎" + "X: 1⏎".repeat(101) + "⏎"),
                refused("trailers of 33 KiB", HEAD_TOO_LARGE, C + "0⏎X: " + "x".repeat(33 * 1024) + "⏎⏎"),
                served("trailer that may not follow", C + "1⏎Z⏎0⏎Cookie: a⏎⏎", "POST g /e|Z")));
        for (String size : List.of("0x4", "+4", "-4", "4 x", "200000003", "F".repeat(17), "0".repeat(40))) {
            rows.add(refused("chunk size " + size, CHUNK, C + size + "⏎abcd⏎0⏎⏎"));
        }
        return rows;
    }

    private static List<HostileRow> lines() {
        return List.of(
                refused("LF behind the request line", LINE, "GET /e HTTP/1.1\nHost: g⏎⏎"),
                refused("LF behind a field", LINE, "GET /e HTTP/1.1⏎Host: g\nX: 1⏎⏎"),
                refused("LF for the empty line", LINE, "GET /e HTTP/1.1⏎Host: g⏎\n"),
                refused("CR in a value", LINE, G + "X: a\rb⏎⏎"),
                refused("CR CR LF", LINE, G + "X: a\r\r\n⏎"),
                refused("NUL in a value", LINE, G + "X: a\u0000b⏎⏎"),
                refused("VT in a value", LINE, G + "X: a\u000bb⏎⏎"),
                refused("DEL in a value", LINE, G + "X: a\u007fb⏎⏎"),
                refused("NUL in the target", LINE, "GET /a\u0000 HTTP/1.1⏎Host: g⏎⏎"),
                served("TAB and Latin-1 in a value", G + "X: a\tb\u00e9⏎⏎", GOT),
                refused("a blank in a name", FIELD, G + "A B: 1⏎⏎"),
                refused("no name", FIELD, G + ": 1⏎⏎"),
                refused("no colon", FIELD, G + "A 1⏎⏎"),
                refused("a bracket in a name", FIELD, G + "A(: 1⏎⏎"),
                refused("Latin-1 in a name", FIELD, G + "A\u00ef: 1⏎⏎"),
                refused("the first field folded", FIELD, "GET /e HTTP/1.1⏎ Host: g⏎⏎"),
                refused("a field folded", FIELD, G + "A: 1⏎\t2⏎⏎"),
                served("one empty line before", "⏎" + G + "⏎", GOT),
                refused("three empty lines before", LINE, "⏎⏎⏎" + G + "⏎"),
                refused("control characters before", LINE, "\u0000\u0001" + G + "⏎"),
                refused("a blank before", LINE, " " + G + "⏎"),
                refused("CR before", LINE, "\rX" + G + "⏎"));
    }

    private static List<HostileRow> requestLines() {
        return List.of(
                refused("two blanks", REQUEST_LINE, "GET  /e HTTP/1.1⏎Host: g⏎⏎"),
                refused("two blanks before the version", REQUEST_LINE, "GET /e  HTTP/1.1⏎Host: g⏎⏎"),
                refused("TAB", REQUEST_LINE, "GET\t/e HTTP/1.1⏎Host: g⏎⏎"),
                refused("TAB before the version", REQUEST_LINE, "GET /e\tHTTP/1.1⏎Host: g⏎⏎"),
                refused("a blank at the end", REQUEST_LINE, "GET /e HTTP/1.1 ⏎Host: g⏎⏎"),
                refused("a blank in the target", REQUEST_LINE, "GET /a b HTTP/1.1⏎Host: g⏎⏎"),
                refused("no version", REQUEST_LINE, "GET /⏎"),
                refused("no target", REQUEST_LINE, "GET⏎"),
                refused("a version in small letters", REQUEST_LINE, "GET /e http/1.1⏎Host: g⏎⏎"),
                refused("a version of three digits", REQUEST_LINE, "GET /e HTTP/1.01⏎Host: g⏎⏎"),
                refused("a version of letters", REQUEST_LINE, "GET /e HTTP/1.x⏎Host: g⏎⏎"),
                refused("version 2.0", VERSION, "GET /e HTTP/2.0⏎Host: g⏎⏎"),
                refused("version 0.9", VERSION, "GET /e HTTP/0.9⏎Host: g⏎⏎"),
                refused("preface of HTTP/2", VERSION, "PRI * HTTP/2.0⏎⏎SM⏎⏎"),
                served("version 1.7", "GET /e HTTP/1.7⏎Host: g⏎⏎", GOT),
                served("version 1.0", "GET /e HTTP/1.0⏎Connection: keep-alive⏎⏎", "GET  /e|"),
                served("a method in small letters", "get /e HTTP/1.1⏎Host: g⏎⏎", "get g /e|"),
                served("TRACE, which is the handler's", "TRACE /e HTTP/1.1⏎Host: g⏎⏎", "TRACE g /e|"),
                refused("a brace in a method", METHOD, "G{T /e HTTP/1.1⏎Host: g⏎⏎"),
                refused("a long method", METHOD_UNKNOWN, "A".repeat(64) + " /e HTTP/1.1⏎Host: g⏎⏎"),
                refused("CONNECT", METHOD_UNKNOWN, "CONNECT h:1 HTTP/1.1⏎Host: h:1⏎⏎"),
                refused("asterisk with GET", TARGET, "GET * HTTP/1.1⏎Host: g⏎⏎"),
                served("asterisk", "OPTIONS * HTTP/1.1⏎Host: g⏎⏎", "OPTIONS g *|"),
                refused("authority with GET", TARGET, "GET g:80 HTTP/1.1⏎Host: g⏎⏎"));
    }

    private static List<HostileRow> hosts() {
        List<HostileRow> rows = new ArrayList<>(List.of(
                refused("no host", HOST, "GET /e HTTP/1.1⏎⏎"),
                refused("two hosts", HOST, G + "Host: g⏎⏎"),
                served("a port", "GET /e HTTP/1.1⏎Host: G.Example:8080⏎⏎", "GET g.example:8080 /e|"),
                served("an empty port", "GET /e HTTP/1.1⏎Host: g:⏎⏎", GOT),
                served("an address", "GET /e HTTP/1.1⏎Host: [::1]:80⏎⏎", "GET [::1]:80 /e|"),
                served("absolute form", "GET http://b/e HTTP/1.1⏎Host: a⏎⏎", "GET b /e|"),
                served("absolute form without path", "GET HTTP://b?x=/ HTTP/1.1⏎Host: a⏎⏎", "GET b /?x=/|"),
                refused("absolute form without host", HOST, "GET http://b/e HTTP/1.1⏎⏎"),
                refused("absolute form of a user", HOST, "GET http://u@b/e HTTP/1.1⏎Host: b⏎⏎"),
                refused("absolute form of nobody", HOST, "GET http:///e HTTP/1.1⏎Host: b⏎⏎"),
                refused("another scheme", TARGET, "GET ftp://b/e HTTP/1.1⏎Host: b⏎⏎"),
                refused("https in the clear", TARGET, "GET https://b/e HTTP/1.1⏎Host: b⏎⏎"),
                served("two slashes are a path", "GET //b/e HTTP/1.1⏎Host: g⏎⏎", "GET g /b/e|"),
                refused("options name Host", CONNECTION, G + "Connection: close, Host⏎⏎"),
                refused(
                        "options name Content-Length",
                        CONNECTION,
                        P + "Connection: content-length⏎Content-Length: 1⏎⏎a"),
                refused("an option that is no token", CONNECTION, G + "Connection: a b⏎⏎"),
                refused("1,000 options", CONNECTION, G + "Connection: " + "a,".repeat(1000) + "⏎⏎"),
                refused("33 options in lines", CONNECTION, G + "Connection: a⏎".repeat(33) + "⏎"),
                served("32 options", G + "Connection: " + "a,".repeat(32) + "⏎⏎", GOT)));
        for (String host :
                List.of("", "a, b", "a/b", "u@a", "a b", "[::1", "[::1%25lo]", "a:99999", "a:0", "a:x", ".", "a..b")) {
            rows.add(refused("host " + host, HOST, "GET /e HTTP/1.1⏎Host: " + host + "⏎⏎"));
        }
        return rows;
    }

    private static List<HostileRow> paths() {
        List<HostileRow> rows = new ArrayList<>();
        for (String path : List.of(
                "/%zz",
                "/%",
                "/%4",
                "/%00",
                "/a\\b",
                "/a#b",
                "/\u00c3",
                "/a/..;/b",
                "/a/.;x/b",
                "/../e",
                "/a/../../e",
                "/%2e%2e/e",
                "/..%2fe",
                "/a%2fb",
                "/a%5cb")) {
            rows.add(refused("path " + path, PATH, "GET " + path + " HTTP/1.1⏎Host: g⏎⏎"));
        }
        for (String path : List.of("/a/../e", "/a/%2E./e", "/./e", "//e", "/%65", "/a/.%2e/e", "/a/..//e")) {
            rows.add(served("path " + path, "GET " + path + " HTTP/1.1⏎Host: g⏎⏎", GOT));
        }
        rows.addAll(List.of(
                served("decoded once", "GET /%252e%252e/e HTTP/1.1⏎Host: g⏎⏎", "GET g /%252e%252e/e|"),
                served("never decoded", "GET /%0d%0aX:%201 HTTP/1.1⏎Host: g⏎⏎", "GET g /%0D%0AX:%201|"),
                served("a directory", "GET /a/b/.. HTTP/1.1⏎Host: g⏎⏎", "GET g /a/|"),
                served(
                        "what browsers send raw",
                        "GET /a\"<>^`{|}[]?a\"<>^`{|}[]\\ HTTP/1.1⏎Host: g⏎⏎",
                        "GET g /a%22%3C%3E%5E%60%7B%7C%7D%5B%5D?a%22%3C%3E%5E%60%7B%7C%7D%5B%5D%5C|"),
                refused("query with a bad escape", TARGET, "GET /e?%zz HTTP/1.1⏎Host: g⏎⏎"),
                refused("query with a fragment", TARGET, "GET /e?a#b HTTP/1.1⏎Host: g⏎⏎"),
                refused("query in Latin-1", TARGET, "GET /e?\u00c3 HTTP/1.1⏎Host: g⏎⏎")));
        return rows;
    }

    private static List<HostileRow> sizes() {
        return List.of(
                refused("101 fields", TOO_MANY_FIELDS, G + "X: 1⏎".repeat(100) + "⏎"),
                served("100 fields", G + "X: 1⏎".repeat(99) + "⏎", GOT),
                refused("a head of 33 KiB", HEAD_TOO_LARGE, G + ("X: " + "x".repeat(1000) + "⏎").repeat(33) + "⏎"),
                refused(
                        "a request line of 9 KiB",
                        TARGET_TOO_LONG,
                        "GET /" + "a".repeat(9 * 1024) + " HTTP/1.1⏎Host: g⏎⏎"),
                served(
                        "a request line of 8 KiB",
                        "GET /" + "a".repeat(8 * 1024 - 14) + " HTTP/1.1⏎Host: g⏎⏎",
                        "GET g /" + "a".repeat(8 * 1024 - 14) + "|"),
                refused("a line of nothing else", HEAD_TOO_LARGE, "A".repeat(64 * 1024)),
                refused("a field of nothing else", HEAD_TOO_LARGE, G + "X: " + "x".repeat(64 * 1024)));
    }
}
