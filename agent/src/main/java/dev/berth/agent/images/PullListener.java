package dev.berth.agent.images;

import java.time.Duration;

/// Told what happens to an image, for events.
public interface PullListener {
  void present(String image);

  void pulling(String image);

  /// It is there now.
  ///
  /// @param waiting how long of it the pull waited for others
  void pulled(String image, Duration took, Duration waiting, long bytes);
}
