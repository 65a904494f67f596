package dev.berth.vm.machine;

import dev.berth.api.Problem;
import org.jspecify.annotations.Nullable;

/// A machine could not be started, or did not do what was asked of it. The message names the
/// sandbox, and what QEMU answered.
public final class MachineException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  public MachineException(Problem problem, @Nullable Throwable cause) {
    super(problem.toString(), cause);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
