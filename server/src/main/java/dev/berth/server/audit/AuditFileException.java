package dev.berth.server.audit;

import dev.berth.api.Problem;

/// The file of the audit log cannot be used.
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
