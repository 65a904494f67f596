package dev.berth.server.http.transport;

import java.lang.reflect.Field;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpTokens;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.hpack.HpackDecoder;
import org.eclipse.jetty.http2.hpack.HpackException.SessionException;
import org.eclipse.jetty.http2.hpack.internal.MetaDataBuilder;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;

/// HTTP/2 that removes spaces and tabs at the ends of header values, as HTTP/1.1 does.
///
/// RFC 9113 section 8.2.1 calls such a request malformed, and Jetty answers 400. Go's servers
/// accept it, and client-go sends it: a user agent without a version ends in a space.
final class HeaderSpaces extends HTTP2ServerConnectionFactory {
  /// Jetty 12.1 has no supported way: `HttpCompliance` knows no such violation, and its HTTP/2 side
  /// does not ask it; the parser makes its own decoder, the decoder makes its own builder, and the
  /// decoder's step for one field is private. So the private field of the decoder is replaced.
  /// `HeaderSpacesTest` fails when a version of Jetty changes that, or accepts such values itself.
  /// The table of the decoder keeps the value as it came, so that both sides agree about the
  /// table's size.
  private static final Field BUILDER = builderField();

  HeaderSpaces(HttpConfiguration http) {
    super(http);
  }

  private static Field builderField() {
    try {
      Field field = HpackDecoder.class.getDeclaredField("_builder");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(
          "HpackDecoder of this version of Jetty has no field _builder: HTTP/2 header values that"
              + " end in a space need another way (HeaderSpaces)",
          e);
    }
  }

  @Override
  public Connection newConnection(Connector connector, EndPoint endPoint) {
    Connection connection = super.newConnection(connector, endPoint);
    install(((HTTP2Connection) connection).getSession().getParser().getHpackDecoder());
    return connection;
  }

  /// Makes a decoder remove the spaces.
  static void install(HpackDecoder decoder) {
    try {
      BUILDER.set(decoder, new TrimmingBuilder(decoder.getMaxHeaderListSize()));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the decoder of headers cannot be changed", e);
    }
  }

  /// Collects the headers of one request.
  private static final class TrimmingBuilder extends MetaDataBuilder {
    private TrimmingBuilder(int maxHeadersSize) {
      super(maxHeadersSize);
    }

    @Override
    public void emit(HttpField field) throws SessionException {
      super.emit(isTrimmable(field.getValue()) ? trimmed(field) : field);
    }

    /// The decoder complains about a value before it emits the field.
    @Override
    public void streamException(String format, Object... values) {
      boolean aboutValue = format.startsWith("Illegal header value") && values.length == 1;
      if (!aboutValue || !(values[0] instanceof String value) || !isTrimmable(value)) {
        super.streamException(format, values);
      }
    }

    private static HttpField trimmed(HttpField field) {
      return new HttpField(field.getHeader(), field.getName(), trim(field.getValue()));
    }
  }

  /// Spaces at its ends are all that is wrong with it.
  private static boolean isTrimmable(String value) {
    return value != null
        && !value.isEmpty()
        && (isSpace(value.charAt(0)) || isSpace(value.charAt(value.length() - 1)))
        && HttpTokens.isLegalFieldValue(trim(value));
  }

  private static String trim(String value) {
    int from = 0;
    int to = value.length();
    while (from < to && isSpace(value.charAt(from))) {
      from++;
    }
    while (to > from && isSpace(value.charAt(to - 1))) {
      to--;
    }
    return value.substring(from, to);
  }

  private static boolean isSpace(char letter) {
    return letter == ' ' || letter == '\t';
  }
}
