package dev.berth.vm.pods.state;

import dev.berth.api.Problem;

/// A state file could not be written, so the call that needed it had no effect.
public final class StateException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  StateException(Problem problem, Throwable cause) {
    super(problem.toString(), cause);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
