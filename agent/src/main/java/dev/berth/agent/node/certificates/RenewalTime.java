package dev.berth.agent.node.certificates;

import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/// The renewal time of a certificate: after 70 to 90 % of its lifetime, as in the kubelet.
///
/// The fraction depends on the serial number, so that nodes that joined together renew at different
/// times, and a restart does not move the time.
public final class RenewalTime {
  private static final double EARLIEST = 0.7;
  private static final double SPREAD = 0.2;

  /// The serial number, which is random, chooses one of so many steps: nodes that joined together
  /// must not renew together.
  private static final int STEPS = 1_000;

  private RenewalTime() {}

  public static Instant of(X509Certificate certificate) {
    Instant start = certificate.getNotBefore().toInstant();
    Duration life = Duration.between(start, certificate.getNotAfter().toInstant());
    int step = certificate.getSerialNumber().mod(BigInteger.valueOf(STEPS)).intValue();
    double share = EARLIEST + SPREAD * step / STEPS;
    return start.plusMillis((long) (share * life.toMillis()));
  }
}
