package dev.berth.server.podsecurity;

/// The violation that a check found.
///
/// @param reason short, for lists of pods
/// @param detail containers, fields and values; may be empty
record PolicyViolation(String reason, String detail) {
  @Override
  public String toString() {
    return detail.isEmpty() ? reason : reason + " (" + detail + ")";
  }
}
