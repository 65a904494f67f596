package dev.berth.relay;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;

/// Reads a body in chunked transfer coding (RFC 9112 section 7.1).
///
/// Extensions of chunks and trailers are skipped. A body that ends without its last chunk is an
/// error, because a shortened body would otherwise look complete.
public final class ChunkedStream extends InputStream {
  private final InputStream in;
  private long left;
  private boolean started;
  private boolean ended;

  public ChunkedStream(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (left == 0 && !ended) {
      next();
    }
    if (ended) {
      return -1;
    }
    int n = in.read(bytes, offset, (int) Math.min(length, left));
    if (n < 0) {
      throw new EOFException("the body broke off");
    }
    left -= n;
    return n;
  }

  private void next() throws IOException {
    if (started) {
      line();
    }
    started = true;
    String size = line().split(";", 2)[0].strip();
    if (!size.matches("[0-9a-fA-F]{1,15}")) {
      throw new ProtocolException("not the size of a chunk: " + size);
    }
    left = Long.parseLong(size, 16);
    ended = left == 0;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the body broke off");
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }
}
