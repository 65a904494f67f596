package dev.berth.agent.node.http;

/// A refused request, with the response text.
final class HttpFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int status;

  HttpFailure(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
