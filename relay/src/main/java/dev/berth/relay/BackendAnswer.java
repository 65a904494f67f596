package dev.berth.relay;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/// The answer of a backend: its head, and the body or upgraded connection after it.
public final class BackendAnswer implements AutoCloseable {
  public static final int SWITCHED = 101;
  private static final int LONGEST_HEAD = 64 << 10;

  private final Socket socket;
  private final InputStream in;
  private final int status;
  private final HttpFields headers;
  private final @Nullable BodySender sender;

  private BackendAnswer(
      Socket socket, InputStream in, @Nullable BodySender sender, int status, HttpFields headers) {
    this.socket = socket;
    this.in = in;
    this.sender = sender;
    this.status = status;
    this.headers = headers;
  }

  /// Reads the final head. Earlier ones, such as `103 Early Hints`, are skipped.
  ///
  /// @param sender sends the request's body, and stops with the answer
  static BackendAnswer read(Socket socket, InputStream in, @Nullable BodySender sender)
      throws IOException {
    BackendAnswer answer = next(socket, in, sender);
    while (answer.status < 200 && answer.status != SWITCHED) {
      answer = next(socket, in, sender);
    }
    return answer;
  }

  private static BackendAnswer next(Socket socket, InputStream in, @Nullable BodySender sender)
      throws IOException {
    String[] lines = head(in).split("\r\n", -1);
    String[] first = lines[0].split(" ", 3);
    if (first.length < 2 || !first[0].startsWith("HTTP/1.") || !first[1].matches("\\d{3}")) {
      throw new ProtocolException("the backend does not answer in HTTP: " + lines[0]);
    }
    HttpFields.Mutable headers = HttpFields.build();
    for (int i = 1; i < lines.length && !lines[i].isEmpty(); i++) {
      int colon = lines[i].indexOf(':');
      if (colon > 0) {
        headers.add(lines[i].substring(0, colon), lines[i].substring(colon + 1).strip());
      }
    }
    return new BackendAnswer(socket, in, sender, Integer.parseInt(first[1]), headers.asImmutable());
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.length() < LONGEST_HEAD) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the backend hung up before it answered");
      }
      head.append((char) next);
      if (next == '\n'
          && head.length() >= 4
          && head.substring(head.length() - 4).equals("\r\n\r\n")) {
        return head.toString();
      }
    }
    throw new ProtocolException("the head of the backend's answer is too long");
  }

  public int status() {
    return status;
  }

  public HttpFields headers() {
    return headers;
  }

  /// The body of an HTTP answer.
  ///
  /// Without a length and without chunks the body ends with the connection (RFC 9112 section 6.3).
  public InputStream body() {
    long length = headers.getLongField(HttpHeader.CONTENT_LENGTH);
    if (headers.contains(HttpHeader.TRANSFER_ENCODING, "chunked")) {
      return new ChunkedStream(in);
    }
    return length < 0 ? in : new LimitedStream(in, length);
  }

  /// Reads at most the given number of bytes of the body, as text.
  public String text(int limit) throws IOException {
    return new String(body().readNBytes(limit), StandardCharsets.UTF_8);
  }

  /// The bytes of the backend after an upgrade.
  InputStream fromBackend() {
    return in;
  }

  OutputStream toBackend() throws IOException {
    return socket.getOutputStream();
  }

  /// Closes the socket at once and drops unsent bytes. A regular TLS close would wait for them, to
  /// send its close message after them.
  void abort() throws IOException {
    if (!socket.isClosed()) {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }

  @Override
  public void close() throws IOException {
    if (sender != null) {
      sender.stop();
    }
    socket.close();
  }
}
