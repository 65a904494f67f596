package dev.berth.store;

import org.jspecify.annotations.Nullable;

/// The store cannot be opened or cannot take a write now; says what, why and what to do.
///
/// The write it is thrown for was not acknowledged. It may still have been stored, after a lost
/// answer or a disk failure during the write: the memory then follows the stored state, and a retry
/// with the old revision is refused.
public final class StoreUnavailableException extends RuntimeException {
  private final transient StoreHealth.Degraded problem;

  public StoreUnavailableException(StoreHealth.Degraded problem, @Nullable Throwable cause) {
    super(problem.toString(), cause);
    this.problem = problem;
  }

  /// The refusal of every call on a store that was closed.
  public static StoreUnavailableException closed() {
    return new StoreUnavailableException(
        new StoreHealth.Degraded(
            "the store is closed", "this server is stopping", "Retry when it has started"),
        null);
  }

  public StoreHealth.Degraded problem() {
    return problem;
  }

  public String what() {
    return problem.what();
  }

  public String why() {
    return problem.why();
  }

  public String whatToDo() {
    return problem.whatToDo();
  }
}
