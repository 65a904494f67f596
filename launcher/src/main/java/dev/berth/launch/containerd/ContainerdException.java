package dev.berth.launch.containerd;

import dev.berth.api.Problem;

/// A containerd of our own could not do what was asked.
public final class ContainerdException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  ContainerdException(Problem problem) {
    super(problem.toString());
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
