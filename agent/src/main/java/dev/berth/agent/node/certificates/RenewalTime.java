package dev.berth.agent.node.certificates;

import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/// When a certificate is to be renewed: after 70 to 90 % of its time, as the kubelet does.
///
/// The serial number decides, so that nodes which joined together do not all ask together, and a
/// restart does not move the time.
public final class RenewalTime {
  private static final double EARLIEST = 0.7;
  private static final double SPREAD = 0.2;
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
