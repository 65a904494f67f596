package dev.berth.agent.images;

import dev.berth.registry.platforms.TargetPlatform;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Asks the registry of an image which entry of its index is for a platform.
public interface EntryResolver {
  /// The entry for a platform.
  ///
  /// @param credentials to be tried in this order; none for an anonymous request
  /// @throws PullException when no entry fits, or the registry does not say
  ResolvedEntry resolve(String image, TargetPlatform platform, List<PullCredentials> credentials)
      throws InterruptedException;

  /// The manifest that a platform gets.
  ///
  /// @param used null when no credentials were needed
  record ResolvedEntry(String digest, @Nullable PullCredentials used) {}
}
