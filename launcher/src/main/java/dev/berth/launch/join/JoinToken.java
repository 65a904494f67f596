package dev.berth.launch.join;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The credentials with which a machine joins: a bootstrap token and the fingerprint of the
/// cluster's authority, in one word `ID.SECRET.FINGERPRINT`.
///
/// @param fingerprint SHA-256 of the authority's public key (SubjectPublicKeyInfo), in hex, as
///   kubeadm's `--discovery-token-ca-cert-hash` has it
public record JoinToken(String id, String secret, String fingerprint) {
  private static final Pattern FORM =
      Pattern.compile("([a-z0-9]{6})\\.([a-z0-9]{16})\\.([0-9a-f]{64})");

  public static Optional<JoinToken> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? Optional.of(new JoinToken(matcher.group(1), matcher.group(2), matcher.group(3)))
        : Optional.empty();
  }

  /// The hash of the authority's public key.
  static String fingerprint(X509Certificate authority) {
    try {
      byte[] key = authority.getPublicKey().getEncoded();
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }

  /// The part that is sent to the server as a bearer token.
  String bearer() {
    return id + "." + secret;
  }

  @Override
  public String toString() {
    return bearer() + "." + fingerprint;
  }
}
