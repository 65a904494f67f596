package dev.berth.vm.kernel;

import dev.berth.api.Problem;
import org.jspecify.annotations.Nullable;

/// There is no kernel for guests, or it cannot be used.
public final class KernelException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  public KernelException(Problem problem, @Nullable Throwable cause) {
    super(problem.toString(), cause);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
