package dev.berth.server.http.transport;

import java.io.IOException;
import java.time.Duration;

/// A client did not take its answer in time; its connection must be closed.
///
/// It is ordinary, so only the debug log has it.
final class SlowClientException extends IOException {
  private static final long serialVersionUID = 1L;

  SlowClientException(Duration limit) {
    this("the client did not take its answer within " + limit.toSeconds() + " s");
  }

  private SlowClientException(String message) {
    super(message);
  }

  static SlowClientException amongTooMany(long limit) {
    return new SlowClientException(
        "the client is one of those for which the server holds %d bytes, all it may"
            .formatted(limit));
  }
}
