package dev.berth.agent.volumes;

import dev.berth.api.Problem;

/// A volume is not available, for now or for good.
public final class VolumeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public VolumeException(Problem problem) {
    super(problem.toString());
  }

  /// A failure with the kubelet's message.
  ///
  /// @param text one sentence
  public VolumeException(String text) {
    super(text);
  }
}
