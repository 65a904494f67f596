package dev.berth.server.audit;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The stages of a request at which an event is written.
enum AuditStage {
  REQUEST_RECEIVED("RequestReceived"),
  /// Only for long-running requests such as watches: the head of the answer was sent.
  RESPONSE_STARTED("ResponseStarted"),
  RESPONSE_COMPLETE("ResponseComplete"),
  /// The request ended with an internal error.
  PANIC("Panic");

  private final String text;

  AuditStage(String text) {
    this.text = text;
  }

  static Optional<AuditStage> parse(String text) {
    return Arrays.stream(values()).filter(stage -> stage.text.equals(text)).findFirst();
  }

  static List<String> texts() {
    return Arrays.stream(values()).map(AuditStage::toString).toList();
  }

  @Override
  public String toString() {
    return text;
  }
}
