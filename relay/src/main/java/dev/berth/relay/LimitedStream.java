package dev.berth.relay;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/// Reads a body of known length; a connection that ends before is an error. The connection itself
/// stays open.
final class LimitedStream extends InputStream {
  private final InputStream in;
  private long left;

  LimitedStream(InputStream in, long length) {
    this.in = in;
    this.left = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int n = in.read(bytes, offset, (int) Math.min(length, left));
    if (n < 0) {
      throw new EOFException("the body broke off");
    }
    left -= n;
    return n;
  }
}
