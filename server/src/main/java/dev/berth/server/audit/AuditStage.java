package dev.berth.server.audit;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The moments of a request at which an event is written.
enum AuditStage {
  REQUEST_RECEIVED("RequestReceived"),
  /// Only of requests that take long, such as watches: the head of the answer was sent.
  RESPONSE_STARTED("ResponseStarted"),
  RESPONSE_COMPLETE("ResponseComplete"),
  /// The server failed on the request.
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
