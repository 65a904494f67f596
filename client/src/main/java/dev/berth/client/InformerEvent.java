package dev.berth.client;

/// A change of an object as an informer saw it. Several changes of the object may be combined in
/// one event.
public sealed interface InformerEvent<T> {
  /// The object appeared, or the handler was just added.
  record Added<T>(T now) implements InformerEvent<T> {}

  /// The object changed; other changes between both states may not have been seen.
  record Updated<T>(T before, T now) implements InformerEvent<T> {}

  /// The object is gone.
  ///
  /// @param last the last state that the informer saw, not necessarily the final one
  record Removed<T>(T last) implements InformerEvent<T> {}

  /// The newest known state.
  default T latest() {
    return switch (this) {
      case Added<T>(T now) -> now;
      case Updated<T>(_, T now) -> now;
      case Removed<T>(T last) -> last;
    };
  }
}
