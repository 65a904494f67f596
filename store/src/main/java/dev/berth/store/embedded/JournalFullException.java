package dev.berth.store.embedded;

import dev.berth.store.StoreHealth;
import org.jspecify.annotations.Nullable;

/// The disk has no space for a write. Unlike after other failures of a journal, nothing was stored
/// for certain, and the journal stays usable: deletions still fit.
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
