package dev.berth.sim.admin;

import dev.berth.api.Problem;

/// The admin endpoint cannot be served.
public final class AdminException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient Problem problem;

  AdminException(Problem problem, Throwable cause) {
    super(problem.toString(), cause);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
