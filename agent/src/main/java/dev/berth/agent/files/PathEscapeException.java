package dev.berth.agent.files;

import java.io.IOException;

/// A path leads out of its directory. The message names nothing of the host and may be shown to
/// users.
public final class PathEscapeException extends IOException {
  private static final long serialVersionUID = 1L;

  PathEscapeException() {
    super("the path leads out of the volume");
  }
}
