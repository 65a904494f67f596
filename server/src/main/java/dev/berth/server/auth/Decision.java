package dev.berth.server.auth;

/// Whether a request is allowed, and why or why not; the reason may be empty.
public record Decision(boolean allowed, String reason) {
  static final Decision ALLOWED = new Decision(true, "");
  static final Decision NO_OPINION = new Decision(false, "");

  static Decision refused(String reason) {
    return new Decision(false, reason);
  }
}
