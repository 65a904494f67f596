package dev.berth.store;

import org.jspecify.annotations.Nullable;

/// The store cannot be opened or cannot take a write now; says what, why and what to do.
///
/// The write it is thrown for was not acknowledged. It may still turn out to be made (an answer
/// that was lost, a disk that failed in the middle): the memory then follows what is stored, and a
/// retry with the old revision is refused.
public final class StoreUnavailableException extends RuntimeException {
  private final transient StoreHealth.Degraded problem;

  public StoreUnavailableException(StoreHealth.Degraded problem, @Nullable Throwable cause) {
    super(problem.toString(), cause);
    this.problem = problem;
  }

  /// For whoever still uses a store after it was closed.
  public static StoreUnavailableException closed() {
    return new StoreUnavailableException(
        new StoreHealth.Degraded(
            "the store is closed", "this server is stopping", "Ask again after it was started"),
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
