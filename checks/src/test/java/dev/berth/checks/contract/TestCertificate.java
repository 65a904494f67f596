package dev.berth.checks.contract;

import dev.berth.registry.transport.TrustedAuthorities;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;

/// A certificate for the loopback interface that is its own authority, made by the JDK's keytool.
///
/// @param file the certificate in PEM
/// @param keyFile its key in PEM
public record TestCertificate(Path file, Path keyFile) {
  private static final String PASSWORD = "secret";

  public static TestCertificate make(Path directory) throws Exception {
    Path store = directory.resolve("store.p12");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=registry",
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(output);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(store)) {
      keys.load(file, PASSWORD.toCharArray());
    }
    return new TestCertificate(
        write(
            directory.resolve("registry.pem"),
            "CERTIFICATE",
            keys.getCertificate("a").getEncoded()),
        write(
            directory.resolve("registry.key"),
            "PRIVATE KEY",
            keys.getKey("a", PASSWORD.toCharArray()).getEncoded()));
  }

  private static Path write(Path file, String type, byte[] content) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(type, body));
  }

  SSLContext trusted() throws IOException {
    try {
      return TrustedAuthorities.with(List.of(file));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }
}
