package dev.berth.server.admission;

/// One rule about writes; refuses by throwing an `ApiException`.
public interface AdmissionPlugin {
  /// May change the object in place; deletions, which have none, only come to `validate`.
  default void mutate(Attributes attributes) {}

  /// Judges the object as it will be stored.
  default void validate(Attributes attributes) {}
}
