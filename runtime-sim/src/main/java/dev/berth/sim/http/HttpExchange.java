package dev.berth.sim.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One request and its answer.
public final class HttpExchange {
  private static final int LONGEST_HEAD = 64 * 1024;
  private static final int LARGEST_BODY = 4 * 1024 * 1024;

  private final String method;
  private final String path;
  private final Map<String, String> query;
  private final Map<String, String> headers;
  private final String body;
  private final SocketChannel connection;
  private final InputStream in;
  private final OutputStream out;

  private HttpExchange(
      String[] line,
      Map<String, String> headers,
      String body,
      SocketChannel connection,
      InputStream in,
      OutputStream out) {
    String[] target = line[1].split("\\?", 2);
    this.method = line[0];
    this.path = target[0];
    this.query = target.length > 1 ? parameters(target[1]) : Map.of();
    this.headers = headers;
    this.body = body;
    this.connection = connection;
    this.in = in;
    this.out = out;
  }

  /// Null when the client sent nothing that is HTTP.
  static @Nullable HttpExchange read(SocketChannel connection) throws IOException {
    InputStream in = new BufferedInputStream(Channels.newInputStream(connection));
    OutputStream out = Channels.newOutputStream(connection);
    String head = head(in);
    String[] lines = head.split("\r\n", -1);
    String[] first = lines[0].split(" ", -1);
    if (first.length != 3 || !first[2].startsWith("HTTP/1.")) {
      return null;
    }
    Map<String, String> headers = new HashMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon > 0) {
        headers.merge(
            lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
            lines[i].substring(colon + 1).strip(),
            (one, more) -> one + ", " + more);
      }
    }
    int length = number(headers.getOrDefault("content-length", "0"));
    if ("100-continue".equalsIgnoreCase(headers.get("expect"))) {
      out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new HttpExchange(first, headers, body, connection, in, out);
  }

  public String method() {
    return method;
  }

  public String path() {
    return path;
  }

  public String parameter(String name, String otherwise) {
    return query.getOrDefault(name, otherwise);
  }

  /// Empty when there is no such header.
  public String header(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
  }

  public String body() {
    return body;
  }

  public void answer(int status, String type, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    String head =
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
            .formatted(status, phrase(status), type, bytes.length);
    out.write(head.getBytes(StandardCharsets.US_ASCII));
    out.write(bytes);
    out.flush();
  }

  InputStream in() {
    return in;
  }

  OutputStream out() {
    return out;
  }

  /// The client reads the end after what was written, and may still write.
  void endOutput() throws IOException {
    connection.shutdownOutput();
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int last = 0;
    while (head.size() < LONGEST_HEAD) {
      int next = in.read();
      if (next < 0) {
        return "";
      }
      head.write(next);
      last = (last << 8) | next;
      if (last == 0x0d0a0d0a) {
        return head.toString(StandardCharsets.ISO_8859_1);
      }
    }
    throw new IOException("request head is too long");
  }

  private static int number(String text) throws IOException {
    try {
      int length = Integer.parseInt(text);
      if (length >= 0 && length <= LARGEST_BODY) {
        return length;
      }
    } catch (NumberFormatException _) {
      // Told below.
    }
    throw new IOException("content length is not accepted: " + text);
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      parameters.put(parts[0], parts.length > 1 ? parts[1] : "");
    }
    return parameters;
  }

  private static String phrase(int status) {
    return switch (status) {
      case 200 -> "OK";
      case 201 -> "Created";
      case 400 -> "Bad Request";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 409 -> "Conflict";
      default -> "Error";
    };
  }
}
