package dev.berth.store.embedded;

import dev.berth.store.StoreHealth;
import org.jspecify.annotations.Nullable;

/// There is no space for a write. Unlike any other failure of a journal it is certain that nothing
/// was stored, and the journal can be used further: deletions still fit.
final class JournalFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient StoreHealth.Degraded problem;

  JournalFullException(StoreHealth.Degraded problem, @Nullable Throwable cause) {
    super(problem.toString(), cause);
    this.problem = problem;
  }

  StoreHealth.Degraded problem() {
    return problem;
  }
}
