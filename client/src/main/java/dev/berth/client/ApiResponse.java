package dev.berth.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// The head of an answer and its body, which the receiver must close.
public record ApiResponse(int status, InputStream body) implements AutoCloseable {
  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /// Reads what is left, which is next to nothing after the JSON.
  ///
  /// A body that is closed before its end resets the HTTP/2 stream (see [ResponseBody]).
  void drain() {
    try {
      body.transferTo(OutputStream.nullOutputStream());
    } catch (IOException _) {
      // What mattered has been read.
    }
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
