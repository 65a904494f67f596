package dev.berth.agent.runtimes;

import dev.berth.api.Problem;

/// The agent cannot start because another agent acts on one of its runtime services.
public final class ServiceClaimedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient Problem problem;

  public ServiceClaimedException(Problem problem) {
    super(problem.toString());
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
