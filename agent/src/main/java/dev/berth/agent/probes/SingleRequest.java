package dev.berth.agent.probes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.relay.AnyCertificate;
import dev.berth.relay.ChunkedStream;
import io.fabric8.kubernetes.api.model.HTTPHeader;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// A GET request on a connection of its own, which ends after the response's head, or the body of a
/// redirect. The JDK's client reuses connections and does not allow another Host header.
final class SingleRequest {
  private static final SSLContext TLS = AnyCertificate.context();

  /// The container answers, and may send a header without end.
  private static final int LONGEST_HEAD = 64 << 10;

  /// The kubelet's limit for bodies.
  private static final int LONGEST_BODY = 10 << 10;

  /// The answer to a probe.
  ///
  /// @param body of a redirect only; other bodies are never reported
  public record Answer(int code, Optional<String> location, String body) {}

  /// @param length of the body; negative when unknown
  private record Head(int code, Optional<String> location, boolean chunked, long length) {}

  private final URI uri;
  private final long end;

  private SingleRequest(URI uri, Duration limit) {
    this.uri = uri;
    this.end = System.nanoTime() + limit.toNanos();
  }

  /// Sends the request and waits for the response.
  ///
  /// @param headers all headers; `Connection: close` is added
  /// @param limit for the whole exchange
  static Answer send(URI uri, List<HTTPHeader> headers, Duration limit) throws IOException {
    return new SingleRequest(uri, limit).send(headers);
  }

  private Answer send(List<HTTPHeader> headers) throws IOException {
    byte[] request = head(headers).getBytes(ISO_8859_1);
    boolean isTls = "https".equals(uri.getScheme());
    int port = uri.getPort() > 0 ? uri.getPort() : isTls ? 443 : 80;
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(uri.getHost(), port), left());
      plain.setSoTimeout(left());
      if (!isTls) {
        return exchange(plain, request);
      }
      try (Socket secure = TLS.getSocketFactory().createSocket(plain, uri.getHost(), port, true)) {
        return exchange(secure, request);
      }
    }
  }

  private int left() throws SocketTimeoutException {
    long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
    if (millis <= 0) {
      throw new SocketTimeoutException();
    }
    return Math.toIntExact(Math.min(millis, Integer.MAX_VALUE));
  }

  private String head(List<HTTPHeader> headers) {
    String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    StringBuilder head = new StringBuilder("GET %s%s HTTP/1.1\r\n".formatted(path, query));
    for (HTTPHeader header : headers) {
      String line = header.getName() + ": " + header.getValue();
      if (line.chars().anyMatch(one -> one == '\r' || one == '\n')) {
        throw new IllegalArgumentException(
            "invalid header field value for \"%s\"".formatted(header.getName()));
      }
      head.append(line).append("\r\n");
    }
    return head.append("Connection: close\r\n\r\n").toString();
  }

  private Answer exchange(Socket socket, byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    socket.getOutputStream().flush();
    InputStream input = new BufferedInputStream(socket.getInputStream());
    Head head = head(socket, input);
    while (head.code() / 100 == 1) {
      // An interim response (1xx).
      head = head(socket, input);
    }
    String body = head.code() / 100 == 3 ? body(socket, input, head) : "";
    return new Answer(head.code(), head.location(), body);
  }

  /// Reads as much of the body as arrives: the response counts even when its body is cut off.
  private String body(Socket socket, InputStream input, Head head) {
    byte[] bytes = new byte[Math.clamp(head.length(), 0, LONGEST_BODY)];
    if (head.length() < 0) {
      bytes = new byte[LONGEST_BODY];
    }
    int length = 0;
    try {
      InputStream content = head.chunked() ? new ChunkedStream(input) : input;
      while (length < bytes.length) {
        socket.setSoTimeout(left());
        int taken = content.read(bytes, length, bytes.length - length);
        if (taken < 0) {
          break;
        }
        length += taken;
      }
    } catch (IOException _) {
      // The status code is known already.
    }
    return new String(bytes, 0, length, UTF_8);
  }

  private Head head(Socket socket, InputStream input) throws IOException {
    String status = line(socket, input);
    String[] words = status.split(" ", 3);
    if (!status.startsWith("HTTP/") || words.length < 2 || !words[1].matches("[1-9][0-9]{2}")) {
      throw new IOException("malformed HTTP response \"%s\"".formatted(status));
    }
    Optional<String> location = Optional.empty();
    boolean chunked = false;
    long bodyLength = -1;
    int length = 0;
    for (String line = line(socket, input); !line.isEmpty(); line = line(socket, input)) {
      length += line.length();
      if (length > LONGEST_HEAD) {
        throw new IOException("the response has too many headers");
      }
      String[] field = line.split(":", 2);
      String value = field.length < 2 ? "" : field[1].strip();
      switch (field[0].toLowerCase(Locale.ROOT)) {
        case "location" -> location = Optional.of(value);
        case "transfer-encoding" -> chunked = value.equalsIgnoreCase("chunked");
        case "content-length" ->
            bodyLength = value.matches("\\d{1,18}") ? Long.parseLong(value) : -1;
        default -> {
          // Other headers are ignored.
        }
      }
    }
    return new Head(Integer.parseInt(words[1]), location, chunked, chunked ? -1 : bodyLength);
  }

  private String line(Socket socket, InputStream input) throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      socket.setSoTimeout(left());
      int one = input.read();
      if (one < 0) {
        throw new EOFException("EOF");
      }
      if (one == '\n') {
        int last = line.length() - 1;
        return last >= 0 && line.charAt(last) == '\r' ? line.substring(0, last) : line.toString();
      }
      if (line.length() >= LONGEST_HEAD) {
        throw new IOException("the response has a header that is too long");
      }
      line.append((char) one);
    }
  }
}
