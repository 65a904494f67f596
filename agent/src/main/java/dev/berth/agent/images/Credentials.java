package dev.berth.agent.images;

import dev.berth.cri.v1.AuthConfig;

/// Who pulls.
///
/// @param token an identity token, instead of user and password
public record Credentials(String server, String username, String password, String token) {
  AuthConfig message() {
    return AuthConfig.newBuilder()
        .setServerAddress(server)
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
