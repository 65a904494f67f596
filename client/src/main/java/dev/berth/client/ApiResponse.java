package dev.berth.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// The head of an answer and its body, which the receiver must close.
public record ApiResponse(int status, InputStream body) implements AutoCloseable {
  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /// Reads the rest of the body, at most white space after the JSON.
  ///
  /// A body that is closed before its end resets the HTTP/2 stream (see [ResponseBody]).
  void drain() {
    try {
      body.transferTo(OutputStream.nullOutputStream());
    } catch (IOException _) {
      // The JSON has been read completely.
    }
  }

  @Override
  public void close() {
    try {
      body.close();
    } catch (IOException _) {
      // The rest of the body is not needed.
    }
  }
}
