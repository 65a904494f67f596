package dev.berth.server.podsecurity;

/// Why a check forbids a pod.
///
/// @param reason short, for lists of pods
/// @param detail names containers, fields and values; may be empty
record PolicyViolation(String reason, String detail) {
  @Override
  public String toString() {
    return detail.isEmpty() ? reason : reason + " (" + detail + ")";
  }
}
