package dev.berth.launch;

import dev.berth.agent.node.certificates.Issued;
import dev.berth.agent.node.certificates.Pem;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.server.pki.Kubeconfig;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
    Files.createDirectories(file.getParent());
    Kubeconfig.write(
        file,
        server.toString(),
        issued.authority(),
        "system:node:" + node,
        issued.clientCertificate(),
        key);
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
}
