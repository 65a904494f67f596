package dev.berth.server.admission;

/// One admission rule; rejects a write by throwing an `ApiException`.
public interface AdmissionPlugin {
  /// May change the object in place; not called for deletions.
  default void mutate(AdmissionAttributes attributes) {}

  /// Checks the object in its final form.
  default void validate(AdmissionAttributes attributes) {}

  /// Reserves resources right before the object is stored; rejects the write when there are not
  /// enough.
  ///
  /// @return releases the reservation if the object was not stored
  default Runnable reserve(AdmissionAttributes attributes) {
    return () -> {};
  }

  /// Called after a successful write; the object is null after a deletion.
  default void committed(AdmissionAttributes attributes) {}
}
