package dev.berth.vm.pods.volumes;

import dev.berth.api.Problem;

/// A mount of a container cannot be had in a guest. The message names the mount and what is
/// accepted instead.
public final class VolumeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  VolumeException(Problem problem) {
    super(problem.toString());
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
