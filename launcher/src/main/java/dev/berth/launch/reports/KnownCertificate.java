package dev.berth.launch.reports;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A certificate, its place, and its end.
///
/// @param place a file, or `node/NAME`
/// @param expires a time, or why it is not known
/// @param left such as `364d`, `3h`, `expired`; empty when it is not known
public record KnownCertificate(
    String place, String expires, String left, String subject, String issuer, List<String> names) {
  public KnownCertificate {
    names = List.copyOf(names);
  }

  static KnownCertificate of(String place, X509Certificate certificate, Instant now) {
    Instant end = certificate.getNotAfter().toInstant();
    return new KnownCertificate(
        place,
        end.toString(),
        left(Duration.between(now, end)),
        certificate.getSubjectX500Principal().getName(),
        certificate.getIssuerX500Principal().getName(),
        names(certificate));
  }

  static KnownCertificate unknown(String place, String why) {
    return new KnownCertificate(place, "unknown: " + why, "", "", "", List.of());
  }

  private static String left(Duration left) {
    if (left.isNegative()) {
      return "expired";
    }
    return left.toDays() > 1
        ? left.toDays() + "d"
        : left.toHours() > 0 ? left.toHours() + "h" : left.toMinutes() + "m";
  }

  private static List<String> names(X509Certificate certificate) {
    try {
      var names = certificate.getSubjectAlternativeNames();
      return names == null
          ? List.of()
          : names.stream().map(name -> String.valueOf(name.get(1))).toList();
    } catch (CertificateParsingException _) {
      return List.of();
    }
  }
}
