package dev.berth.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A response body that cancels its stream only when it is closed before its end.
///
/// Closing a body of the library cancels it, and the JDK's HTTP/2 client resets a cancelled stream
/// even after its end: every request would end with a reset, and servers close connections with
/// many resets (CVE-2023-44487).
final class ResponseBody extends FilterInputStream {
  private volatile boolean ended;

  ResponseBody(InputStream body) {
    super(body);
  }

  @Override
  public int read() throws IOException {
    return noteEnd(super.read());
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    return noteEnd(super.read(target, offset, length));
  }

  private int noteEnd(int read) {
    if (read < 0) {
      ended = true;
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    if (!ended) {
      super.close();
    }
  }
}
