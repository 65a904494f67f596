package dev.berth.client;

/// What an informer saw happen to an object; between two sights several things may have happened.
public sealed interface Change<T> {
  record Added<T>(T now) implements Change<T> {}

  record Updated<T>(T before, T now) implements Change<T> {}

  /// The object is gone.
  ///
  /// @param last the last state that was seen, not necessarily the last there was
  record Removed<T>(T last) implements Change<T> {}

  /// The newest state that is known.
  default T latest() {
    return switch (this) {
      case Added<T>(T now) -> now;
      case Updated<T>(_, T now) -> now;
      case Removed<T>(T last) -> last;
    };
  }
}
