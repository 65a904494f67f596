package dev.berth.agent.node.certificates;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Collectors;

/// A self-signed certificate, made with the JDK's keytool.
record SelfSigned(PrivateKey key, X509Certificate certificate) {
  private static final String PASSWORD = "changeit"; // The file lives for a moment only.

  /// @param directory a private one; files of an earlier attempt are replaced
  static SelfSigned make(Path directory, String node, List<String> addresses)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path file = directory.resolve("self-signed.p12");
    Files.deleteIfExists(file);
    try {
      String names =
          addresses.stream()
              .map(address -> (address.matches("[0-9.]+|.*:.*") ? "ip:" : "dns:") + address)
              .collect(Collectors.joining(","));
      run(
          Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
          "-genkeypair",
          "-keyalg",
          "EC",
          "-groupname",
          "secp256r1",
          "-alias",
          "node",
          "-dname",
          "CN=" + node,
          "-ext",
          "san=" + names,
          "-validity",
          "365",
          "-storetype",
          "PKCS12",
          "-keystore",
          file.toString(),
          "-storepass",
          PASSWORD);
      return read(file);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String words =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool: " + words.strip());
    }
  }

  private static SelfSigned read(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return new SelfSigned(
        (PrivateKey) store.getKey("node", PASSWORD.toCharArray()),
        (X509Certificate) store.getCertificate("node"));
  }
}
