package dev.berth.agent.node.certificates;

import dev.berth.client.Backoff;
import dev.berth.client.ClientException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Renews the certificate of the node's server in time.
public final class ServingCertificate implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServingCertificate.class);

  /// Interval between checks for renewal. The clock may jump, so the thread does not sleep until
  /// the day of renewal.
  private static final Duration LOOK = Duration.ofMinutes(1);

  private final NodeTls tls;
  private final CertificateSource source;
  private final InstantSource clock;
  private final Backoff backoff;
  private final Duration look;
  private final CountDownLatch closing = new CountDownLatch(1);
  private int failures;

  private ServingCertificate(
      NodeTls tls, CertificateSource source, InstantSource clock, Backoff backoff, Duration look) {
    this.tls = tls;
    this.source = source;
    this.clock = clock;
    this.backoff = backoff;
    this.look = look;
  }

  public static ServingCertificate start(
      NodeTls tls, CertificateSource source, InstantSource clock, Backoff backoff) {
    return start(tls, source, clock, backoff, LOOK);
  }

  /// Like the other one, with another interval.
  ///
  /// @param look the interval between checks for renewal
  public static ServingCertificate start(
      NodeTls tls, CertificateSource source, InstantSource clock, Backoff backoff, Duration look) {
    var serving = new ServingCertificate(tls, source, clock, backoff, look);
    Thread.ofVirtual().name("serving-certificate").start(serving::run);
    return serving;
  }

  private void run() {
    Instant renewal = Instant.MIN;
    Duration pause = Duration.ZERO;
    try {
      while (!closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        pause = look;
        if (clock.instant().isBefore(renewal)) {
          continue;
        }
        try {
          CertificateSource.Served served = source.obtain();
          tls.install(served);
          renewal = served.renewAt();
          failures = 0;
        } catch (ClientException | GeneralSecurityException | IOException e) {
          if (failures == 0) {
            log.warn("serving certificate not renewed, retrying reason={}", e.getMessage());
          }
          pause = backoff.after(failures++);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
