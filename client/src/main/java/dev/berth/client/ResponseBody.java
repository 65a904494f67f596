package dev.berth.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A body that is given up only when it was closed before its end.
///
/// To close is to cancel for the library's bodies, and the JDK's HTTP/2 client resets a stream that
/// is cancelled even when all of it has come: each request would end with a reset, and servers
/// close connections on which many streams are reset.
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
