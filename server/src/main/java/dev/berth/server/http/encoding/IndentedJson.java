package dev.berth.server.http.encoding;

import dev.berth.server.http.transport.ServerExchange;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.eclipse.jetty.http.HttpHeader;

/// Indents compact JSON while it is written: line breaks and two spaces per level, like Go's
/// `json.MarshalIndent`.
///
/// The class works on bytes and not on a tree, so a long list is indented while it is sent. It
/// relies on valid JSON from this server. In UTF-8 no byte of a longer character equals a quote or
/// a brace.
public final class IndentedJson extends OutputStream {
  private final OutputStream out;
  private int depth;
  private boolean inText;
  private boolean escaped;

  /// An object or array is open and still empty; an empty one stays on its line.
  private boolean opened;

  IndentedJson(OutputStream out) {
    // Buffers single bytes, because compression of single bytes is slow.
    this.out = new BufferedOutputStream(out);
  }

  /// `?pretty` decides; without it, browsers and common command-line tools get indented JSON.
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

  /// Returns the bytes unchanged when the client does not ask for indentation.
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

  /// A state machine over single bytes: inside of a text only the backslash and the quote have a
  /// meaning.
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
