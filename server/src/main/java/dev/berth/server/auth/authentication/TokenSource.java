package dev.berth.server.auth.authentication;

import dev.berth.server.auth.UserInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Authenticates one type of bearer token.
public interface TokenSource {
  /// The token's user and those of the requested audiences that the token is valid for.
  record Found(UserInfo user, List<String> audiences) {
    public Found {
      audiences = List.copyOf(audiences);
    }
  }

  /// Authenticates a token.
  ///
  /// @param audiences the token must be valid for at least one of them
  /// @return null when the token is of another type or invalid
  @Nullable Found find(String token, List<String> audiences);
}
