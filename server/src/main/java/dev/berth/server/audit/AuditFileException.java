package dev.berth.server.audit;

import dev.berth.api.Problem;

/// The audit log file cannot be opened or written.
public final class AuditFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  AuditFileException(Problem problem, Throwable cause) {
    super(problem.toString(), cause);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
