package dev.berth.agent.images;

import java.time.Duration;

/// Receives the progress of a pull, for events.
public interface PullListener {
  void present(String image);

  void pulling(String image);

  /// The pull succeeded.
  ///
  /// @param waiting how long the pull waited for others
  void pulled(String image, Duration took, Duration waiting, long bytes);
}
