package dev.escapement.netty;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** A certificate authority of a test's own, which signs whatever it is asked to, expired certificates too. EC keys on P-256. */
final class Authority {

    private static final char[] PASSWORD = "password".toCharArray();
    private static final AtomicLong SERIAL = new AtomicLong(1);
    private static final Duration DAY = Duration.ofDays(1);

    // The parts of a certificate that are always the same, in DER.
    private static final byte[] ECDSA_WITH_SHA256 = der(0x30, bytes(0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2));
    private static final byte[] COMMON_NAME = bytes(0x06, 0x03, 0x55, 0x04, 0x03);
    private static final byte[] BASIC_CONSTRAINTS = bytes(0x06, 0x03, 0x55, 0x1d, 0x13);
    private static final byte[] ALTERNATIVE_NAMES = bytes(0x06, 0x03, 0x55, 0x1d, 0x11);
    private static final byte[] TRUE = bytes(0x01, 0x01, 0xff);

    private final String name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    Authority(String name) throws Exception {
        this.name = name;
        this.keys = keys();
        byte[] authority = der(0x30, BASIC_CONSTRAINTS, TRUE, der(0x04, der(0x30, TRUE)));
        Instant now = Instant.now();
        this.certificate = sign(name, keys, now.minus(DAY), now.plus(DAY), authority);
    }

    X509Certificate certificate() {
        return certificate;
    }

    /** A certificate of today for these names or addresses, with its key. */
    Issued issue(String subject, String... names) throws Exception {
        Instant now = Instant.now();
        return issue(subject, now.minus(DAY), now.plus(DAY), names);
    }

    Issued issue(String subject, Instant from, Instant until, String... names) throws Exception {
        KeyPair own = keys();
        ByteArrayOutputStream alternatives = new ByteArrayOutputStream();
        for (String alternative : names) {
            boolean numeric = Character.isDigit(alternative.charAt(alternative.length() - 1));
            alternatives.write(
                    numeric
                            ? der(0x87, InetAddress.getByName(alternative).getAddress())
                            : der(0x82, alternative.getBytes(StandardCharsets.US_ASCII)));
        }
        byte[] extension = der(0x30, ALTERNATIVE_NAMES, der(0x04, der(0x30, alternatives.toByteArray())));
        X509Certificate issued = sign(subject, own, from, until, extension);
        return new Issued(issued, own.getPrivate(), certificate);
    }

    /** The managers of whoever trusts this authority alone. */
    TrustManager[] trust() throws Exception {
        KeyStore anchors = KeyStore.getInstance("PKCS12");
        anchors.load(null, null);
        anchors.setCertificateEntry(name, certificate);
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(anchors);
        return factory.getTrustManagers();
    }

    Path pem(Path directory) throws Exception {
        return Files.writeString(directory.resolve(name + ".pem"), pem("CERTIFICATE", certificate.getEncoded()));
    }

    /** A certificate, its key, and who signed it. */
    record Issued(X509Certificate certificate, PrivateKey key, X509Certificate signer) {

        KeyManager[] keyManagers() throws Exception {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("own", key, PASSWORD, new X509Certificate[] {certificate, signer});
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(store, PASSWORD);
            return factory.getKeyManagers();
        }

        Path chainPem(Path directory) throws Exception {
            return Files.writeString(
                    directory.resolve("chain-" + certificate.getSerialNumber() + ".pem"),
                    pem("CERTIFICATE", certificate.getEncoded()) + pem("CERTIFICATE", signer.getEncoded()));
        }

        Path keyPem(Path directory) throws Exception {
            return Files.writeString(
                    directory.resolve("key-" + certificate.getSerialNumber() + ".pem"),
                    pem("PRIVATE KEY", key.getEncoded()));
        }

        /** The same, encrypted. */
        Path keyPem(Path directory, String password) throws Exception {
            String algorithm = "PBEWithSHA1AndDESede";
            AlgorithmParameters parameters = AlgorithmParameters.getInstance(algorithm);
            parameters.init(new PBEParameterSpec(new byte[8], 1_000));
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray())),
                    parameters);
            byte[] encrypted = new EncryptedPrivateKeyInfo(parameters, cipher.doFinal(key.getEncoded())).getEncoded();
            return Files.writeString(
                    directory.resolve("encrypted-" + certificate.getSerialNumber() + ".pem"),
                    pem("ENCRYPTED PRIVATE KEY", encrypted));
        }
    }

    private X509Certificate sign(String subject, KeyPair of, Instant from, Instant until, byte[] extension)
            throws Exception {
        byte[] toBeSigned = der(
                0x30,
                der(0xa0, der(0x02, bytes(2))), // version 3
                der(0x02, BigInteger.valueOf(SERIAL.incrementAndGet()).toByteArray()),
                ECDSA_WITH_SHA256,
                named(name),
                der(0x30, time(from), time(until)),
                named(subject),
                of.getPublic().getEncoded(),
                der(0xa3, der(0x30, extension)));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(toBeSigned);
        byte[] whole = der(0x30, toBeSigned, ECDSA_WITH_SHA256, der(0x03, bytes(0), signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new java.io.ByteArrayInputStream(whole));
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static byte[] named(String name) {
        byte[] text = der(0x0c, name.getBytes(StandardCharsets.UTF_8));
        return der(0x30, der(0x31, der(0x30, COMMON_NAME, text)));
    }

    private static byte[] time(Instant instant) {
        String text = DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'")
                .withZone(ZoneOffset.UTC)
                .format(instant);
        return der(0x17, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Tag, length, and the parts one after the other. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try {
            for (byte[] part : parts) {
                content.write(part);
            }
            int length = content.size();
            whole.write(tag);
            if (length >= 256) {
                whole.write(bytes(0x82, length >> 8, length));
            } else if (length >= 128) {
                whole.write(bytes(0x81, length));
            } else {
                whole.write(length);
            }
            content.writeTo(whole);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return whole.toByteArray();
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static String pem(String kind, byte[] content) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + kind
                + "-----\n";
    }
}
