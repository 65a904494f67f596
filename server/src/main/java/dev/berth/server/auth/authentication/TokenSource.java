package dev.berth.server.auth.authentication;

import dev.berth.server.auth.UserInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One sort of bearer tokens.
public interface TokenSource {
  /// A token's owner and the audiences, of those asked for, that it is meant for.
  public record Found(UserInfo user, List<String> audiences) {
    public Found {
      audiences = List.copyOf(audiences);
    }
  }

  /// Looks a token up.
  ///
  /// @param audiences at least one of them must be meant
  /// @return null when the token is not of this sort or not good
  @Nullable Found find(String token, List<String> audiences);
}
