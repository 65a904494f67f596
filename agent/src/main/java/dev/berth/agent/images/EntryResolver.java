package dev.berth.agent.images;

import dev.berth.registry.platforms.PlatformMismatch;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Asks the registry of an image which entry of its index is for a platform.
public interface EntryResolver {
  /// The entry for the platform of the request's target. With the policy `Always` the registry is
  /// asked what the tag means now.
  ///
  /// @throws PullException when no entry fits, or the registry does not say
  ResolvedEntry resolve(ImageRequest request) throws InterruptedException;

  /// What an image has instead of an entry for the platform of the target, for a runtime that found
  /// none. Empty when there is one, or when the registry does not say soon.
  default Optional<PlatformMismatch> mismatch(ImageRequest request) throws InterruptedException {
    return Optional.empty();
  }

  /// The manifest that a platform gets.
  ///
  /// @param used null when no credentials were needed
  record ResolvedEntry(String digest, @Nullable PullCredentials used) {}
}
