package dev.berth.agent.node.certificates;

import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import java.io.IOException;
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

/// A serving certificate from Berth's API server.
///
/// The key is new with every start and never leaves the process. An upstream API server signs
/// nothing here; then the node signs for itself, as the kubelet does.
public final class SignedByServer implements CertificateSource {
  private static final Logger log = LoggerFactory.getLogger(SignedByServer.class);
  private static final Duration APPROVAL = Duration.ofSeconds(20);
  private static final int FORBIDDEN = 403;

  /// After which addresses that were refused are asked for again.
  private static final Duration AGAIN = Duration.ofHours(1);

  private final ApiClient client;
  private final String node;
  private final List<String> addresses;
  private final Path directory;
  private final boolean byRequest;
  private KeyPair keys = NodePem.newKeys();

  /// @param directory a private one of the agent
  /// @param byRequest whether an API server without Berth's path is asked by a
  ///   CertificateSigningRequest; else the node signs for itself
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
    try {
      return obtain(addresses);
    } catch (ApiException e) {
      // Upstream knows no such path, but says so only to those who may ask for every path.
      if (!e.isNotFound() && e.code() != FORBIDDEN) {
        throw e;
      }
      return e.isNotFound() || addresses.isEmpty() ? selfSigned(e) : withoutAddresses();
    }
  }

  private Served obtain(List<String> names) throws GeneralSecurityException {
    IssuedCertificate issued = IssuedCertificate.request(client, node, names, keys.getPublic());
    X509Certificate certificate = NodePem.certificate(issued.servingCertificate());
    return new Served(keys.getPrivate(), List.of(certificate), RenewalTime.of(certificate));
  }

  /// The server does not believe in the addresses, perhaps because the Node is not there yet. Its
  /// own connections need none; for those of others the addresses are asked for again.
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

  private Served selfSigned(ApiException answer)
      throws GeneralSecurityException, IOException, InterruptedException {
    if (byRequest) {
      List<String> servers = Stream.concat(Stream.of(node), addresses.stream()).toList();
      String pem = new SignedRequest(client, node, keys).serving(servers, APPROVAL);
      X509Certificate certificate = NodePem.certificate(pem);
      Served served =
          new Served(keys.getPrivate(), List.of(certificate), RenewalTime.of(certificate));
      // The next request is another object.
      keys = NodePem.newKeys();
      return served;
    }
    SelfSigned own =
        SelfSigned.make(
            directory, node, Stream.concat(Stream.of(node), addresses.stream()).toList());
    log.info(
        "the API server signs no serving certificates; node signs its own node={} answer={}",
        node,
        answer.code());
    return new Served(own.key(), List.of(own.certificate()), RenewalTime.of(own.certificate()));
  }
}
