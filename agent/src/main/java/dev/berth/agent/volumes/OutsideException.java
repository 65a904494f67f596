package dev.berth.agent.volumes;

import java.io.IOException;

/// A part of a volume is not in it. Its message names nothing of the host, and may be told to
/// users.
final class OutsideException extends IOException {
  private static final long serialVersionUID = 1L;

  OutsideException() {
    super("it leads out of the volume");
  }
}
