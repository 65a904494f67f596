package dev.berth.store;

/// Bytes to be stored; whoever encoded them may know more about them than they tell, and saves the
/// [StoredDecoder] the work.
@FunctionalInterface
public interface EncodedObject {
  /// The same array each time, which nobody changes.
  byte[] bytes();
}
