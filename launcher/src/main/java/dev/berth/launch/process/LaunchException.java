package dev.berth.launch.process;

import dev.berth.api.Problem;

/// Berth cannot start or continue; the problem says what to do about it.
public final class LaunchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public LaunchException(Problem problem) {
    super(problem.toString());
    this.problem = problem;
  }

  public LaunchException(Problem problem, Throwable cause) {
    super(problem.toString(), cause);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
