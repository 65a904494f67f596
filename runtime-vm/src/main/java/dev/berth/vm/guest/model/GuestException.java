package dev.berth.vm.guest.model;

import dev.berth.api.Problem;

/// A guest refused a request, or did not answer it in time. The message goes unchanged to whoever
/// owns the pod.
public final class GuestException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final FailureKind kind;
  private final transient Problem problem;

  public GuestException(FailureKind kind, Problem problem) {
    super(problem.toString());
    this.kind = kind;
    this.problem = problem;
  }

  public GuestException(FailureKind kind, Problem problem, Throwable cause) {
    super(problem.toString(), cause);
    this.kind = kind;
    this.problem = problem;
  }

  public FailureKind kind() {
    return kind;
  }

  public Problem problem() {
    return problem;
  }

  /// Which answer of CRI fits.
  public enum FailureKind {
    /// The guest has no such container, file or port.
    NOT_FOUND,
    /// The guest has a container of this name.
    EXISTS,
    /// The request cannot work, whoever sends it: a bad path, an unknown user.
    INVALID,
    /// The container is not in the state that the request needs.
    WRONG_STATE,
    /// The guest tried and failed.
    FAILED,
    /// No answer in time.
    TIMEOUT,
    /// The connection to the guest is gone.
    DISCONNECTED,
    /// The guest broke the protocol; it is not asked again.
    HOSTILE
  }
}
