package dev.berth.agent.images.access;

/// A pull secret and the credentials that it had.
///
/// @param hash of the credentials; empty when they could not be hashed
public record SecretUse(String namespace, String name, String uid, String hash) {
  /// Credentials that are of no secret: they prove access for no later pod.
  public static final SecretUse UNKNOWN = new SecretUse("", "", "", "");

  /// Equal credentials prove access whatever secret they come from; the same secret does so with
  /// new credentials, because its owner already had access.
  boolean provesAccessLike(SecretUse recorded) {
    boolean sameCredentials = !recorded.hash.isEmpty() && hash.equals(recorded.hash);
    return sameCredentials || (!uid.isEmpty() && isSameSecretAs(recorded));
  }

  boolean isSameSecretAs(SecretUse other) {
    return uid.equals(other.uid) && namespace.equals(other.namespace) && name.equals(other.name);
  }
}
