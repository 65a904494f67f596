package dev.berth.server.auth.tokens;

import dev.berth.api.Problem;

/// An authentication file that cannot be used.
public final class AuthConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  AuthConfigurationException(Problem problem) {
    super(problem.toString());
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
