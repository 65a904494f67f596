package dev.berth.server.auth.authentication;

import dev.berth.server.auth.UserInfo;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/// Authenticates client certificates: the common name is the user, the organizations are the
/// groups.
public final class ClientCertificates {
  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
  private static final String ANY_PURPOSE = "2.5.29.37.0";

  /// Bounds the cache; a full cache is cleared, which costs one verification per certificate.
  private static final int REMEMBERED = 4096;

  private final Supplier<List<X509Certificate>> authorities;
  private final InstantSource clock;

  private volatile Verified verified = new Verified(List.of());

  /// Verified certificates, so that a signature is checked once and not per request.
  ///
  /// They stand with the authorities that verified them: a verification that is under way while the
  /// authorities change ends in the cache of the old ones, which nobody reads any more.
  private record Verified(
      List<X509Certificate> authorities, ConcurrentMap<X509Certificate, UserInfo> users) {
    Verified(List<X509Certificate> authorities) {
      this(authorities, new ConcurrentHashMap<>());
    }
  }

  public ClientCertificates(List<X509Certificate> authorities, InstantSource clock) {
    this(() -> authorities, clock);
  }

  /// Reads the authorities again on each verification.
  ///
  /// @param authorities the trusted authorities, which may change at run time
  public ClientCertificates(Supplier<List<X509Certificate>> authorities, InstantSource clock) {
    this.authorities = authorities;
    this.clock = clock;
  }

  /// Null when no trusted authority signed the certificate for client authentication, or when it is
  /// not valid now.
  ///
  /// The validity is checked on each call, before the cache: a cached certificate expires on time.
  @SuppressWarnings("ReferenceEquality") // the supplier gives the same list until it changes
  @Nullable UserInfo find(X509Certificate certificate) {
    Instant now = clock.instant();
    if (now.isBefore(certificate.getNotBefore().toInstant())
        || now.isAfter(certificate.getNotAfter().toInstant())) {
      return null;
    }
    List<X509Certificate> newest = authorities.get();
    Verified current = verified;
    if (newest != current.authorities) {
      current = new Verified(newest);
      verified = current;
    }
    UserInfo user = current.users.get(certificate);
    if (user == null) {
      user = verify(certificate, newest);
      if (user != null) {
        if (current.users.size() >= REMEMBERED) {
          current.users.clear();
        }
        current.users.put(certificate, user);
      }
    }
    return user;
  }

  private static @Nullable UserInfo verify(
      X509Certificate certificate, List<X509Certificate> trusted) {
    try {
      return isForClients(certificate) && trusted.stream().anyMatch(a -> signed(a, certificate))
          ? user(certificate)
          : null;
    } catch (GeneralSecurityException | InvalidNameException _) {
      return null;
    }
  }

  /// Only direct signatures count: Berth's own CA signs leaves only, and foreign CAs are configured
  /// as the ones that sign clients.
  private static boolean signed(X509Certificate authority, X509Certificate certificate) {
    try {
      if (!certificate.getIssuerX500Principal().equals(authority.getSubjectX500Principal())) {
        return false;
      }
      certificate.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException _) {
      return false;
    }
  }

  private static boolean isForClients(X509Certificate certificate)
      throws CertificateParsingException {
    List<String> purposes = certificate.getExtendedKeyUsage();
    return purposes == null || purposes.contains(CLIENT_AUTH) || purposes.contains(ANY_PURPOSE);
  }

  private static @Nullable UserInfo user(X509Certificate certificate)
      throws InvalidNameException, GeneralSecurityException {
    String name = "";
    List<String> groups = new ArrayList<>();
    LdapName subject = new LdapName(certificate.getSubjectX500Principal().getName());
    for (Rdn part : subject.getRdns()) {
      if (part.getType().equalsIgnoreCase("CN")) {
        name = String.valueOf(part.getValue());
      } else if (part.getType().equalsIgnoreCase("O")) {
        groups.add(String.valueOf(part.getValue()));
      }
    }
    if (name.isEmpty()) {
      return null;
    }
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
    String credential = "X509SHA256=" + HexFormat.of().formatHex(digest);
    Map<String, List<String>> extra = Map.of(CREDENTIAL_ID, List.of(credential));
    return new UserInfo(name, "", groups, extra).authenticated();
  }

  /// Identifies the credential in audit logs without revealing it.
  public static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";
}
