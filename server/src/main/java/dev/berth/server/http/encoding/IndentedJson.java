package dev.berth.server.http.encoding;

import dev.berth.server.http.transport.ServerExchange;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.eclipse.jetty.http.HttpHeader;

/// JSON for people: compact JSON gets line breaks and two spaces per level on its way, as Go's
/// `json.MarshalIndent` sets them.
public final class IndentedJson extends OutputStream {
  private final OutputStream out;
  private int depth;
  private boolean inText;
  private boolean escaped;

  /// An object or array was opened and has no content yet; empty ones stay on their line.
  private boolean opened;

  IndentedJson(OutputStream out) {
    // Bytes come one by one, which compression takes badly.
    this.out = new BufferedOutputStream(out);
  }

  /// `?pretty` decides; without it, browsers and the usual command-line tools read for people.
  static boolean isWanted(ServerExchange exchange) {
    return isWanted(exchange.query().first("pretty"), exchange.header(HttpHeader.USER_AGENT));
  }

  static boolean isWanted(String pretty, String userAgent) {
    return switch (pretty) {
      case "" ->
          userAgent.startsWith("curl")
              || userAgent.startsWith("Wget")
              || userAgent.startsWith("Mozilla/5.0");
      case "1", "t", "T", "true", "TRUE", "True" -> true;
      default -> false;
    };
  }

  /// The same bytes when the client does not want them indented.
  public static byte[] asWanted(ServerExchange exchange, byte[] json) {
    return isWanted(exchange) ? of(json) : json;
  }

  public static byte[] of(byte[] json) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(json.length * 2);
    try (OutputStream out = new IndentedJson(bytes)) {
      out.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Override
  public void write(int b) throws IOException {
    if (inText) {
      out.write(b);
      inText = escaped || b != '"';
      escaped = !escaped && b == '\\';
      return;
    }
    switch (b) {
      case '{', '[' -> {
        beginValue();
        out.write(b);
        depth++;
        opened = true;
      }
      case '}', ']' -> {
        depth--;
        if (!opened) {
          newLine();
        }
        opened = false;
        out.write(b);
      }
      case ',' -> {
        out.write(b);
        newLine();
      }
      case ':' -> {
        out.write(b);
        out.write(' ');
      }
      case ' ', '\t', '\r', '\n' -> {}
      default -> {
        beginValue();
        inText = b == '"';
        out.write(b);
      }
    }
  }

  private void beginValue() throws IOException {
    if (opened) {
      newLine();
      opened = false;
    }
  }

  private void newLine() throws IOException {
    out.write('\n');
    for (int i = 0; i < depth; i++) {
      out.write(' ');
      out.write(' ');
    }
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
