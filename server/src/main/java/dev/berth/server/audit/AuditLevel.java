package dev.berth.server.audit;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// How much of a request is recorded; each level includes those before it.
enum AuditLevel {
  NONE("None"),
  METADATA("Metadata"),
  REQUEST("Request"),
  REQUEST_RESPONSE("RequestResponse");

  private final String text;

  AuditLevel(String text) {
    this.text = text;
  }

  static Optional<AuditLevel> parse(String text) {
    return Arrays.stream(values()).filter(level -> level.text.equals(text)).findFirst();
  }

  static List<String> texts() {
    return Arrays.stream(values()).map(AuditLevel::toString).toList();
  }

  boolean includes(AuditLevel other) {
    return compareTo(other) >= 0;
  }

  @Override
  public String toString() {
    return text;
  }
}
