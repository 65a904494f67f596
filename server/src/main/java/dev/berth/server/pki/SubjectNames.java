package dev.berth.server.pki;

import dev.berth.api.certificates.ServerNames;
import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The host names and addresses of a serving certificate.
///
/// Sets are sorted, so that equal names give equal certificates and a comparison decides whether a
/// new one is necessary.
///
/// @param addresses in the form of `InetAddress`, so that equal addresses are equal strings
record SubjectNames(Set<String> hosts, Set<String> addresses) {
  /// Types of names in {@link java.security.cert.X509Certificate#getSubjectAlternativeNames}.
  private static final int DNS = 2;

  /// The tag of `iPAddress` in a GeneralName (RFC 5280, section 4.2.1.6).
  private static final int ADDRESS = 7;

  /// Names of every server.
  private static final List<String> ALWAYS =
      List.of(
          "localhost",
          "127.0.0.1",
          "::1",
          "kubernetes",
          "kubernetes.default",
          "kubernetes.default.svc",
          "kubernetes.default.svc.cluster.local");

  static SubjectNames of(Collection<String> names) {
    SubjectNames all = new SubjectNames(new TreeSet<>(), new TreeSet<>());
    ALWAYS.forEach(all::add);
    names.stream().filter(name -> !name.isBlank()).forEach(all::add);
    return all;
  }

  /// Only the given names.
  static SubjectNames only(Collection<String> names) {
    SubjectNames all = new SubjectNames(new TreeSet<>(), new TreeSet<>());
    names.stream().filter(name -> !name.isBlank()).forEach(all::add);
    return all;
  }

  static SubjectNames in(X509Certificate certificate) throws CertificateParsingException {
    SubjectNames all = new SubjectNames(new TreeSet<>(), new TreeSet<>());
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    for (List<?> name : names == null ? List.<List<?>>of() : names) {
      if (name.get(0) instanceof Integer type
          && (type == DNS || type == ADDRESS)
          && name.get(1) instanceof String text) {
        all.add(text);
      }
    }
    return all;
  }

  /// Whether a certificate with these names is valid for a host; `*` matches one label.
  boolean covers(String host) {
    return new ServerNames(hosts, addresses).covers(host);
  }

  boolean isEmpty() {
    return hosts.isEmpty() && addresses.isEmpty();
  }

  /// The union of both.
  SubjectNames and(SubjectNames more) {
    SubjectNames all = new SubjectNames(new TreeSet<>(hosts), new TreeSet<>(addresses));
    all.hosts.addAll(more.hosts);
    all.addresses.addAll(more.addresses);
    return all;
  }

  private void add(String name) {
    InetAddress address = literal(name);
    if (address == null) {
      hosts.add(name);
    } else if (!address.isAnyLocalAddress()) {
      addresses.add(address.getHostAddress());
    }
  }

  private static @Nullable InetAddress literal(String name) {
    try {
      return InetAddress.ofLiteral(name);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }
}
