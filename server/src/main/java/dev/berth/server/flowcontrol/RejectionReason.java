package dev.berth.server.flowcontrol;

/// The reason of a rejection; upstream's text is in the Status, in metrics and in the log.
enum RejectionReason {
  QUEUE_FULL("queue-full"),
  CONCURRENCY_LIMIT("concurrency-limit"),
  TIME_OUT("time-out"),
  CANCELLED("cancelled");

  private final String word;

  RejectionReason(String word) {
    this.word = word;
  }

  @Override
  public String toString() {
    return word;
  }
}
