package dev.berth.agent.node.certificates;

import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.Backoff;
import dev.berth.client.ClientException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gets the certificate of the node's server from the API server, and a new one in time.
///
/// The key is new with every start and never leaves the process. An upstream API server signs
/// nothing here; then the node signs for itself, as the kubelet does.
public final class ServingCertificate implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServingCertificate.class);
  private static final double RENEW_AFTER = 0.7;
  private static final Duration LOOK = Duration.ofHours(1);

  private final NodeTls tls;
  private final ApiClient client;
  private final String node;
  private final List<String> addresses;
  private final InstantSource clock;
  private final Backoff backoff;
  private final KeyPair keys = Pem.newKeys();
  private final CountDownLatch closing = new CountDownLatch(1);
  private int failures;

  private ServingCertificate(
      NodeTls tls,
      ApiClient client,
      String node,
      List<String> addresses,
      InstantSource clock,
      Backoff backoff) {
    this.tls = tls;
    this.client = client;
    this.node = node;
    this.addresses = List.copyOf(addresses);
    this.clock = clock;
    this.backoff = backoff;
  }

  public static ServingCertificate start(
      NodeTls tls,
      ApiClient client,
      String node,
      List<String> addresses,
      InstantSource clock,
      Backoff backoff) {
    var serving = new ServingCertificate(tls, client, node, addresses, clock, backoff);
    Thread.ofVirtual().name("serving-certificate").start(serving::run);
    return serving;
  }

  private void run() {
    Instant renewal = Instant.MIN;
    Duration pause = Duration.ZERO;
    try {
      while (!closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        if (clock.instant().isBefore(renewal)) {
          pause = LOOK;
          continue;
        }
        try {
          X509Certificate certificate = obtain();
          Instant start = certificate.getNotBefore().toInstant();
          Duration life = Duration.between(start, certificate.getNotAfter().toInstant());
          renewal = start.plusSeconds((long) (RENEW_AFTER * life.toSeconds()));
          failures = 0;
          pause = LOOK;
        } catch (ClientException | GeneralSecurityException | IOException e) {
          if (failures == 0) {
            log.warn("no serving certificate, will retry node={}: {}", node, e.getMessage());
          }
          pause = backoff.after(failures++);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private X509Certificate obtain()
      throws GeneralSecurityException, IOException, InterruptedException {
    try {
      Issued issued = Issued.request(client, node, addresses, keys.getPublic());
      X509Certificate certificate = Pem.certificate(issued.servingCertificate());
      tls.install(keys.getPrivate(), certificate);
      return certificate;
    } catch (ApiException e) {
      if (!e.isNotFound()) {
        throw e;
      }
      SelfSigned own = SelfSigned.make(node, addresses);
      tls.install(own.key(), own.certificate());
      log.info("the API server signs no serving certificates; node signs its own node={}", node);
      return own.certificate();
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
