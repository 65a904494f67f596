package dev.berth.server.http;

import java.io.IOException;
import java.time.Duration;

/// A client did not take its answer in time; its connection must be closed.
final class SlowClientException extends IOException {
  private static final long serialVersionUID = 1L;

  SlowClientException(Duration limit) {
    super("the client did not take its answer within " + limit.toSeconds() + " s");
  }
}
