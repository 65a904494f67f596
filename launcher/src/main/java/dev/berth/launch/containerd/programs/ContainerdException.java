package dev.berth.launch.containerd.programs;

import dev.berth.api.Problem;

/// A private containerd failed; the problem says what to do about it.
public final class ContainerdException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ContainerdException(Problem problem) {
    super(problem.toString());
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
