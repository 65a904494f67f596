package dev.berth.client;

import java.io.IOException;
import java.io.InputStream;

/// The head of an answer and its body, which the receiver must close.
public record Response(int status, InputStream body) implements AutoCloseable {
  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  @Override
  public void close() {
    try {
      body.close();
    } catch (IOException _) {
      // Nobody is left to read what the connection would still deliver.
    }
  }
}
