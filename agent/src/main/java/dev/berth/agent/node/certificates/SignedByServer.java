package dev.berth.agent.node.certificates;

import dev.berth.api.certificates.KeyMaterial;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A serving certificate from the API server.
///
/// The key is new at every start and never leaves the process. Berth's API server signs at a path
/// of its own. Upstream's does not have it: there the node signs its certificate itself, as the
/// kubelet does. With a CertificateSigningRequest every API server signs, after an approval.
public final class SignedByServer implements CertificateSource {
  private static final Logger log = LoggerFactory.getLogger(SignedByServer.class);

  /// How long one attempt waits for a person or a controller to approve the request. The next
  /// attempt finds the same request, because its name follows from key and names.
  private static final Duration APPROVAL = Duration.ofSeconds(20);

  private static final int FORBIDDEN = 403;

  /// The interval at which refused addresses are requested again.
  private static final Duration AGAIN = Duration.ofHours(1);

  private final ApiClient client;
  private final String node;
  private final List<String> addresses;
  private final Path directory;
  private final boolean byRequest;
  private KeyPair keys = KeyMaterial.newKeys();

  /// @param directory a private one of the agent
  /// @param byRequest whether to use a CertificateSigningRequest, also with Berth
  public SignedByServer(
      ApiClient client, String node, List<String> addresses, Path directory, boolean byRequest) {
    this.byRequest = byRequest;
    this.client = client;
    this.node = node;
    this.addresses = List.copyOf(addresses);
    this.directory = directory;
  }

  @Override
  public Served obtain() throws GeneralSecurityException, IOException, InterruptedException {
    if (byRequest) {
      return requested();
    }
    try {
      return obtain(addresses);
    } catch (ApiException e) {
      // Upstream does not have the path, but answers 404 only to callers that may read every path.
      if (!e.isNotFound() && e.code() != FORBIDDEN) {
        throw e;
      }
      return e.isNotFound() || addresses.isEmpty() ? selfSigned(e) : withoutAddresses();
    }
  }

  private Served obtain(List<String> names) throws GeneralSecurityException {
    IssuedCertificate issued = IssuedCertificate.request(client, node, names, keys.getPublic());
    X509Certificate certificate = KeyMaterial.certificate(issued.servingCertificate());
    return new Served(keys.getPrivate(), List.of(certificate), RenewalTime.of(certificate));
  }

  /// The server refuses the addresses, perhaps because the Node does not exist yet. Its own
  /// connections need none, so the node continues without and requests them again later.
  private Served withoutAddresses()
      throws GeneralSecurityException, IOException, InterruptedException {
    try {
      Served served = obtain(List.of());
      Instant soon = served.chain().getFirst().getNotBefore().toInstant().plus(AGAIN);
      return new Served(served.key(), served.chain(), soon);
    } catch (ApiException e) {
      if (e.code() != FORBIDDEN) {
        throw e;
      }
      return selfSigned(e);
    }
  }

  private Served requested() throws GeneralSecurityException, IOException, InterruptedException {
    String pem = new SignedRequest(client, node, keys).serving(servers(), APPROVAL);
    // A signer may append CA certificates.
    List<X509Certificate> chain = KeyMaterial.certificates(pem.getBytes(StandardCharsets.US_ASCII));
    if (chain.isEmpty()) {
      throw new GeneralSecurityException("the signer's answer has no certificate in it");
    }
    Served served = new Served(keys.getPrivate(), chain, RenewalTime.of(chain.getFirst()));
    // A new key makes the next request another object.
    keys = KeyMaterial.newKeys();
    return served;
  }

  private List<String> servers() {
    return Stream.concat(Stream.of(node), addresses.stream()).toList();
  }

  private Served selfSigned(ApiException answer)
      throws GeneralSecurityException, IOException, InterruptedException {
    SelfSigned own = SelfSigned.make(directory, node, servers());
    log.info(
        "the API server signs no serving certificates; node signs its own node={} answer={}",
        node,
        answer.code());
    return new Served(own.key(), List.of(own.certificate()), RenewalTime.of(own.certificate()));
  }
}
