package dev.berth.vm.network;

import dev.berth.api.Problem;
import org.jspecify.annotations.Nullable;

/// The network of a pod could not be made or removed. The message names the pod and the plugin or
/// command that failed.
public final class NetworkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  public NetworkException(Problem problem, @Nullable Throwable cause) {
    super(problem.toString(), cause);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
