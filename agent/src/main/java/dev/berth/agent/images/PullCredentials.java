package dev.berth.agent.images;

import dev.berth.agent.images.access.SecretUse;
import dev.berth.cri.v1.AuthConfig;
import dev.berth.registry.credentials.RegistryCredentials;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Who pulls.
///
/// @param server as the secret calls it, which may be a pattern
/// @param token an identity token, instead of user and password
/// @param secret from which they are; null when they are from none
public record PullCredentials(
    String server, String username, String password, String token, @Nullable SecretUse secret) {
  RegistryCredentials forRegistry() {
    return new RegistryCredentials(username, password, token);
  }

  Optional<SecretUse> use() {
    return Optional.ofNullable(secret);
  }

  /// Without the server: whom they are for was decided already. A runtime would compare it with the
  /// host that it talks to, which for `docker.io` and for mirrors is another one, and containerd
  /// takes for a URL what secrets call a registry by its host alone. The kubelet leaves it out,
  /// too.
  AuthConfig message() {
    return AuthConfig.newBuilder()
        .setUsername(username)
        .setPassword(password)
        .setIdentityToken(token)
        .build();
  }

  @Override
  public String toString() {
    return username + "@" + server;
  }
}
