package dev.berth.launch.join;

import dev.berth.agent.node.certificates.IssuedCertificate;
import dev.berth.agent.node.certificates.RenewalTime;
import dev.berth.agent.node.certificates.SignedRequest;
import dev.berth.api.PrivateFiles;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.api.certificates.PemBlocks;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ClientConfig;
import dev.berth.server.pki.KubeconfigFile;
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
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The kubeconfig that a node writes when it joins, with its own client certificate, which it
/// renews.
///
/// @param file private to its owner
public record NodeKubeconfig(Path file) {
  private static final int FORBIDDEN = 403;

  /// One attempt; the present certificate is still valid, so the next attempt may come later.
  private static final Duration RENEWAL_PATIENCE = Duration.ofMinutes(1);

  private static final Pattern CERTIFICATE =
      Pattern.compile("client-certificate-data: ([A-Za-z0-9+/=]+)");
  private static final Pattern NODE = Pattern.compile("CN=system:node:([^,+]+)");

  public static NodeKubeconfig below(Path dataDir) {
    return new NodeKubeconfig(dataDir.resolve("agent").resolve("node.kubeconfig"));
  }

  public boolean exists() {
    return Files.exists(file);
  }

  /// Why the file is not the kubeconfig of this node in this cluster; empty when it is.
  ///
  /// @param token names the cluster's authority; null where any authority is accepted
  public Optional<String> mismatch(
      URI server, @Nullable JoinToken token, String node, Instant now) {
    try {
      ClientConfig present = ClientConfig.fromKubeconfig(file);
      if (!present.server().equals(server)) {
        return Optional.of("is for " + present.server());
      }
      if (token != null && !fingerprints(present.authority()).contains(token.fingerprint())) {
        return Optional.of("trusts another authority than the token");
      }
      return mismatch(certificate(), node, now);
    } catch (IOException | CertificateException | RuntimeException e) {
      return Optional.of("cannot be read (%s)".formatted(e.getMessage()));
    }
  }

  private static Optional<String> mismatch(X509Certificate found, String node, Instant now) {
    String name = nodeOf(found);
    if (!name.equals(node)) {
      return Optional.of("is of node " + name);
    }
    Instant end = found.getNotAfter().toInstant();
    return now.isBefore(end) ? Optional.empty() : Optional.of("has expired at " + end);
  }

  /// The node in a subject such as `CN=system:node:web-1,O=system:nodes`.
  static String nodeOf(X509Certificate certificate) {
    Matcher name = NODE.matcher(certificate.getSubjectX500Principal().getName());
    return name.find() ? name.group(1) : "none";
  }

  private static Set<String> fingerprints(String authority) throws CertificateException {
    Set<String> all = new HashSet<>();
    for (X509Certificate one :
        KeyMaterial.certificates(authority.getBytes(StandardCharsets.US_ASCII))) {
      all.add(JoinToken.fingerprint(one));
    }
    return all;
  }

  /// Writes the file with a certificate that a token gets from Berth's own path.
  public void join(URI server, JoinToken token, String node)
      throws IOException, InterruptedException {
    String authority = PinnedAuthority.fetch(server, token);
    try (ApiClient client =
        ApiClient.open(ClientConfig.ofToken(server, authority, token.bearer()))) {
      replace(client, server, node);
    }
  }

  /// Writes the file with a certificate from a CertificateSigningRequest; `cluster-info` gives the
  /// authority of the token's cluster.
  public void joinByRequest(URI server, JoinToken token, String node, Duration patience)
      throws IOException, InterruptedException {
    String authority = ClusterDiscovery.fetch(server, token);
    joinByRequest(ClientConfig.ofToken(server, authority, token.bearer()), node, patience);
  }

  /// Writes the file with a certificate from a CertificateSigningRequest.
  ///
  /// @param credentials may be good for the request only
  /// @param patience how long the approval may take
  public void joinByRequest(ClientConfig credentials, String node, Duration patience)
      throws IOException, InterruptedException {
    try (ApiClient client = ApiClient.open(credentials)) {
      // Every certificate gets a new key, which never leaves this machine.
      KeyPair keys = KeyMaterial.newKeys();
      String certificate = new SignedRequest(client, node, keys).client(patience);
      write(credentials.server(), credentials.authority(), node, certificate, keys);
    }
  }

  /// Replaces the certificate when it is due; returns whether it did. Berth's API server is asked
  /// by its own path, any other one by a CertificateSigningRequest.
  public boolean renew(String node, Instant now) throws IOException, InterruptedException {
    if (now.isBefore(renewal())) {
      return false;
    }
    ClientConfig present = ClientConfig.fromKubeconfig(file);
    try (ApiClient client = ApiClient.open(present)) {
      replace(client, present.server(), node);
    } catch (ApiException e) {
      if (!e.isNotFound() && e.code() != FORBIDDEN) {
        throw e;
      }
      joinByRequest(present, node, RENEWAL_PATIENCE);
    }
    return true;
  }

  private void replace(ApiClient client, URI server, String node) throws IOException {
    KeyPair keys = KeyMaterial.newKeys();
    IssuedCertificate issued = IssuedCertificate.request(client, node, List.of(), keys.getPublic());
    write(server, issued.authority(), node, issued.clientCertificate(), keys);
  }

  private void write(URI server, String authority, String node, String certificate, KeyPair keys)
      throws IOException {
    String key = PemBlocks.encode(PemBlocks.PRIVATE_KEY, keys.getPrivate().getEncoded());
    PrivateFiles.createPrivateDirectory(Objects.requireNonNull(file.getParent()));
    KubeconfigFile.write(
        file, server.toString(), authority, "system:node:" + node, certificate, key);
  }

  private Instant renewal() throws IOException {
    try {
      return RenewalTime.of(certificate());
    } catch (CertificateException e) {
      throw new IOException("the certificate in " + file + " cannot be read", e);
    }
  }

  private X509Certificate certificate() throws IOException, CertificateException {
    Matcher data = CERTIFICATE.matcher(Files.readString(file));
    if (!data.find()) {
      throw new CertificateException("there is no client-certificate-data");
    }
    byte[] pem = Base64.getDecoder().decode(data.group(1));
    return KeyMaterial.certificate(new String(pem, StandardCharsets.US_ASCII));
  }
}
