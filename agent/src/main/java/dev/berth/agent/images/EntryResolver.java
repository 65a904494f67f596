package dev.berth.agent.images;

import org.jspecify.annotations.Nullable;

/// Asks the registry of an image which entry of its index is for a platform.
public interface EntryResolver {
  /// The entry for the platform of the request's target. With the policy `Always` the registry is
  /// asked what the tag means now.
  ///
  /// @throws PullException when no entry fits, or the registry does not say
  ResolvedEntry resolve(ImageRequest request) throws InterruptedException;

  /// The manifest that a platform gets.
  ///
  /// @param used null when no credentials were needed
  record ResolvedEntry(String digest, @Nullable PullCredentials used) {}
}
