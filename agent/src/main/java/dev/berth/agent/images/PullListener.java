package dev.berth.agent.images;

import java.time.Duration;

/// Receives the progress of a pull, for events.
public interface PullListener {
  /// Drops all reports, for pulls that no pod asks for.
  PullListener NONE =
      new PullListener() {
        @Override
        public void present(String image) {}

        @Override
        public void pulling(String image) {}

        @Override
        public void pulled(String image, Duration took, Duration waiting, long bytes) {}
      };

  void present(String image);

  void pulling(String image);

  /// The pull succeeded.
  ///
  /// @param waiting how long the pull waited for others
  void pulled(String image, Duration took, Duration waiting, long bytes);
}
