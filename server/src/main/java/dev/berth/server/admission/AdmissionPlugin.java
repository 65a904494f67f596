package dev.berth.server.admission;

/// An admission rule; it rejects a write by throwing an `ApiException`.
///
/// Implementations are called by any number of requests at the same time and must not block on the
/// API server itself. A plugin sees only writes that authorization has allowed.
public interface AdmissionPlugin {
  /// May change the object in place; not called for deletions.
  ///
  /// A retry after a concurrent write calls it again for the same request, with a new object.
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
  ///
  /// The write cannot be refused any more; an implementation must not throw for what it cannot do.
  default void committed(AdmissionAttributes attributes) {}
}
