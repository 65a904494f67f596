package dev.berth.launch.join;

import dev.berth.agent.node.certificates.RenewalTime;
import dev.berth.agent.node.certificates.SignedRequest;
import dev.berth.api.PrivateFiles;
import dev.berth.api.Problem;
import dev.berth.api.certificates.KeyMaterial;
import dev.berth.api.certificates.PemBlocks;
import dev.berth.client.ApiClient;
import dev.berth.client.ClientConfig;
import dev.berth.client.ClientException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Renews the client certificate of a kubeconfig that an administrator provides.
///
/// As with a kubelet, the kubeconfig stays as it is: the renewed certificate and its key are in a
/// file of the agent's directory. The name of the file contains a hash of the certificate in the
/// kubeconfig, so that another certificate there is used instead.
public final class RotatedCertificate {
  private static final Logger log = LoggerFactory.getLogger(RotatedCertificate.class);
  private static final String PREFIX = "client-certificate-";
  private static final String SUFFIX = ".pem";

  /// Names of files only have to differ within one directory.
  private static final int HASH_BYTES = 8;

  private final Path kubeconfig;
  private final Path directory;
  private final String node;
  private final InstantSource clock;
  private final Duration approval;

  // The fields below are confined to the thread that renews.

  /// Kept until a certificate is issued: the name of a request follows from the key, so that a
  /// repeated request is the same object.
  private KeyPair keys = KeyMaterial.newKeys();

  private String logged = "";

  /// @param directory a private one of the agent
  /// @param approval how long one attempt waits for an approval
  public RotatedCertificate(
      Path kubeconfig, Path directory, String node, InstantSource clock, Duration approval) {
    this.kubeconfig = kubeconfig;
    this.directory = directory;
    this.node = node;
    this.clock = clock;
    this.approval = approval;
  }

  /// The kubeconfig's content, with the renewed certificate if there is one that is valid.
  ///
  /// @throws IllegalArgumentException when the certificate of the kubeconfig cannot be read
  public ClientConfig current(ClientConfig given) {
    String replaced = given.certificate();
    if (replaced.isEmpty()) {
      return given;
    }
    Path file = successor(replaced);
    return isUsable(file) ? given.withCertificate(file) : given;
  }

  private Path successor(String replaced) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(replaced.getBytes(StandardCharsets.US_ASCII));
      return directory.resolve(PREFIX + HexFormat.of().formatHex(digest, 0, HASH_BYTES) + SUFFIX);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }

  private boolean isUsable(Path file) {
    if (!Files.isReadable(file)) {
      return false;
    }
    try {
      byte[] pem = Files.readAllBytes(file);
      List<X509Certificate> chain = KeyMaterial.certificates(pem);
      return !chain.isEmpty()
          && clock.instant().isBefore(end(chain.getFirst()))
          && KeyMaterial.isPair(KeyMaterial.privateKey(pem), chain.getFirst().getPublicKey());
    } catch (IOException | GeneralSecurityException _) {
      return false; // Then the kubeconfig's own certificate is used.
    }
  }

  /// What became of one attempt to renew.
  sealed interface Renewal {
    record NotDue() implements Renewal {}

    record Renewed(Path file, Instant until) implements Renewal {}

    /// The credentials of the kubeconfig are used as they are.
    record NotPossible(String why) implements Renewal {}

    /// The node keeps its certificate, and tries again.
    record Refused(Problem problem) implements Renewal {}
  }

  /// Renews the certificate when it nears its end, and logs what became of that, once per change.
  public void renew() throws InterruptedException {
    Renewal renewal = attempt();
    if (renewal.toString().equals(logged)) {
      return;
    }
    logged = renewal.toString();
    switch (renewal) {
      case Renewal.NotDue _ -> {}
      case Renewal.Renewed(Path file, Instant until) ->
          log.info("client certificate renewed node={} until={} file={}", node, until, file);
      case Renewal.NotPossible(String why) ->
          log.info(
              "client certificate cannot be renewed node={} kubeconfig={} reason=\"{}\"",
              node,
              kubeconfig,
              why);
      case Renewal.Refused(Problem problem) -> log.warn("{}", problem);
    }
  }

  Renewal attempt() throws InterruptedException {
    ClientConfig given;
    X509Certificate present;
    ClientConfig used;
    try {
      given = ClientConfig.fromKubeconfig(kubeconfig);
      used = current(given);
      if (used.certificate().isEmpty()) {
        return new Renewal.NotPossible("it has no client certificate, or other credentials beside");
      }
      present = KeyMaterial.certificate(used.certificate());
    } catch (IllegalArgumentException | CertificateException e) {
      return new Renewal.NotPossible(String.valueOf(e.getMessage()));
    }
    if (!NodeKubeconfig.nodeOf(present).equals(node)) {
      return new Renewal.NotPossible(
          "its certificate is that of %s, not of system:node:%s"
              .formatted(present.getSubjectX500Principal().getName(), node));
    }
    if (clock.instant().isBefore(RenewalTime.of(present))) {
      return new Renewal.NotDue();
    }
    try {
      return request(used, successor(given.certificate()));
    } catch (ClientException | GeneralSecurityException | IOException e) {
      return new Renewal.Refused(refusal(String.valueOf(e.getMessage()), end(present)));
    }
  }

  private Renewal request(ClientConfig used, Path file)
      throws IOException, GeneralSecurityException, InterruptedException {
    String chain;
    try (ApiClient client = ApiClient.open(used)) {
      chain = new SignedRequest(client, node, keys).client(approval);
    }
    X509Certificate issued = KeyMaterial.certificate(chain);
    if (!issued.getPublicKey().equals(keys.getPublic())) {
      throw new CertificateException("the issued certificate has another key than the request");
    }
    PrivateFiles.createPrivateDirectory(directory);
    PrivateFiles.replace(
        file, chain + PemBlocks.encode(PemBlocks.PRIVATE_KEY, keys.getPrivate().getEncoded()));
    removeOthers(file);
    keys = KeyMaterial.newKeys();
    return new Renewal.Renewed(file, end(issued));
  }

  /// Successors of certificates that the kubeconfig had before.
  private void removeOthers(Path file) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      for (Path other : all.filter(one -> isSuccessor(one) && !one.equals(file)).toList()) {
        Files.deleteIfExists(other);
      }
    }
  }

  private static boolean isSuccessor(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
  }

  private Problem refusal(String why, Instant end) {
    String remedy =
        clock.instant().isBefore(end)
            ? "The node uses its certificate until %s and repeats the request every minute; approve"
                + " the request, or replace the certificate in %s, which is reloaded within seconds"
            : "The certificate expired at %s, so the API server rejects the node; replace the"
                + " certificate in %s, which is reloaded within seconds";
    return new Problem(
        "the client certificate of node %s is not renewed".formatted(node),
        why,
        remedy.formatted(end, kubeconfig));
  }

  private static Instant end(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }
}
