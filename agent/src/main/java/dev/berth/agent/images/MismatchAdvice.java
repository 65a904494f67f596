package dev.berth.agent.images;

import dev.berth.registry.platforms.PlatformMismatch;

/// Says to somebody whose pod cannot run its image here what the image has and what would do.
public interface MismatchAdvice {
  /// The whole sentence.
  String describe(PlatformMismatch mismatch);
}
