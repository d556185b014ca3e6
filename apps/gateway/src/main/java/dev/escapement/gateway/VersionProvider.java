package dev.escapement.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar; "unpackaged" where the classes run from elsewhere. */
final class VersionProvider implements IVersionProvider {

    private static final String WRITTEN_BY_THE_BUILD =
            "/META-INF/maven/dev.escapement/escapement-gateway/pom.properties";

    @Override
    public String[] getVersion() throws IOException {
        Properties build = new Properties();
        try (InputStream in = VersionProvider.class.getResourceAsStream(WRITTEN_BY_THE_BUILD)) {
            if (in != null) {
                build.load(in);
            }
        }
        return new String[] {"escapement-gateway " + build.getProperty("version", "unpackaged")};
    }
}
