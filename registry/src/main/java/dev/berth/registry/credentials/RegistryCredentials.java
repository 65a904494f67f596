package dev.berth.registry.credentials;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// What a client shows to a registry or to its token server.
///
/// @param identityToken instead of user and password; mostly empty
public record RegistryCredentials(String username, String password, String identityToken) {
  public static final RegistryCredentials NONE = new RegistryCredentials("", "", "");

  public static RegistryCredentials of(String username, String password) {
    return new RegistryCredentials(username, password, "");
  }

  /// Reads `user:password`; the empty text is nobody.
  public static RegistryCredentials parse(String text) {
    int colon = text.indexOf(':');
    return colon < 0 ? of(text, "") : of(text.substring(0, colon), text.substring(colon + 1));
  }

  public boolean isAnonymous() {
    return username.isEmpty() && password.isEmpty() && identityToken.isEmpty();
  }

  /// The header for user and password; empty when there are none.
  public Optional<String> basicHeader() {
    if (username.isEmpty() && password.isEmpty()) {
      return Optional.empty();
    }
    byte[] both = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
    return Optional.of("Basic " + Base64.getEncoder().encodeToString(both));
  }

  /// Without the secrets.
  @Override
  public String toString() {
    return isAnonymous() ? "anonymous" : username.isEmpty() ? "an identity token" : username;
  }
}
