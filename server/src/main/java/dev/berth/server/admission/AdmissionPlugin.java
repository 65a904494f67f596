package dev.berth.server.admission;

/// One rule about writes; refuses by throwing an `ApiException`.
public interface AdmissionPlugin {
  /// May change the object in place; deletions, which have none, only come to `validate`.
  default void mutate(AdmissionAttributes attributes) {}

  /// Judges the object as it will be stored.
  default void validate(AdmissionAttributes attributes) {}

  /// Takes what the object needs, right before it is stored; refuses when there is not enough.
  ///
  /// @return gives it back, for an object that was not stored after all
  default Runnable reserve(AdmissionAttributes attributes) {
    return () -> {};
  }

  /// Hears of a write that is stored; the object is null when it is gone.
  default void committed(AdmissionAttributes attributes) {}
}
