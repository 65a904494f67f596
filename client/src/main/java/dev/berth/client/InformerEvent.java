package dev.berth.client;

/// What an informer saw happen to an object; between two sights several things may have happened.
public sealed interface InformerEvent<T> {
  record Added<T>(T now) implements InformerEvent<T> {}

  record Updated<T>(T before, T now) implements InformerEvent<T> {}

  /// The object is gone.
  ///
  /// @param last the last state that was seen, not necessarily the last there was
  record Removed<T>(T last) implements InformerEvent<T> {}

  /// The newest state that is known.
  default T latest() {
    return switch (this) {
      case Added<T>(T now) -> now;
      case Updated<T>(_, T now) -> now;
      case Removed<T>(T last) -> last;
    };
  }
}
