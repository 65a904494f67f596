package dev.berth.launch;

import dev.berth.agent.node.certificates.Issued;
import dev.berth.agent.node.certificates.Pem;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The kubeconfig that a node gets by joining, with its own certificate, and renews itself.
///
/// @param file private to its owner
record NodeKubeconfig(Path file) {
  private static final double RENEW_AFTER = 0.7;
  private static final Pattern CERTIFICATE =
      Pattern.compile("client-certificate-data: ([A-Za-z0-9+/=]+)");

  static NodeKubeconfig below(Path dataDir) {
    return new NodeKubeconfig(dataDir.resolve("agent").resolve("node.kubeconfig"));
  }

  boolean exists() {
    return Files.exists(file);
  }

  /// Makes it with a token.
  void join(URI server, JoinToken token, String node) throws IOException, InterruptedException {
    String authority = PinnedAuthority.fetch(server, token);
    try (ApiClient client =
        ApiClient.open(ClientConfig.ofToken(server, authority, token.bearer()))) {
      replace(client, server, node);
    }
  }

  /// Replaces its certificate when that nears its end; says whether it did.
  boolean renew(String node, Instant now) throws IOException {
    if (now.isBefore(renewal())) {
      return false;
    }
    ClientConfig present = ClientConfig.fromKubeconfig(file);
    try (ApiClient client = ApiClient.open(present)) {
      replace(client, present.server(), node);
    }
    return true;
  }

  private void replace(ApiClient client, URI server, String node) throws IOException {
    KeyPair keys = Pem.newKeys();
    Issued issued = Issued.request(client, node, List.of(), keys.getPublic());
    String key = Pem.of("PRIVATE KEY", keys.getPrivate().getEncoded());
    write(text(server, issued, key, "system:node:" + node));
  }

  private Instant renewal() throws IOException {
    Matcher data = CERTIFICATE.matcher(Files.readString(file));
    if (!data.find()) {
      return Instant.MAX;
    }
    try {
      byte[] pem = Base64.getDecoder().decode(data.group(1));
      X509Certificate found = Pem.certificate(new String(pem, StandardCharsets.US_ASCII));
      Instant start = found.getNotBefore().toInstant();
      Duration life = Duration.between(start, found.getNotAfter().toInstant());
      return start.plusSeconds((long) (RENEW_AFTER * life.toSeconds()));
    } catch (CertificateException e) {
      throw new IOException("the certificate in " + file + " cannot be read", e);
    }
  }

  private void write(String text) throws IOException {
    Files.createDirectories(file.getParent());
    Path fresh =
        Files.createTempFile(
            file.getParent(),
            "node",
            ".tmp",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, text);
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String text(URI server, Issued issued, String key, String user) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: berth
      cluster:
        certificate-authority-data: %s
        server: %s
    users:
    - name: "%s"
      user:
        client-certificate-data: %s
        client-key-data: %s
    contexts:
    - name: berth
      context:
        cluster: berth
        user: "%s"
    current-context: berth
    """
        .formatted(
            base64(issued.authority()),
            server,
            user,
            base64(issued.clientCertificate()),
            base64(key),
            user);
  }

  private static String base64(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }
}
