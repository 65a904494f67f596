package dev.berth.server.pki;

import dev.berth.api.Problem;
import org.jspecify.annotations.Nullable;

/// Keys or certificates cannot be read, created or stored.
public final class PkiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  PkiException(Problem problem, @Nullable Throwable cause) {
    super(problem.toString(), cause);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
