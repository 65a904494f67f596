package dev.berth.server.http.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.hpack.HpackDecoder;
import org.eclipse.jetty.http2.hpack.HpackException;
import org.eclipse.jetty.http2.hpack.internal.MetaDataBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What [HeaderSpaces] needs of Jetty's internals. A failure here after an update of Jetty means
/// that client-go's requests with a user agent that ends in a space would be answered with 400.
class HeaderSpacesTest {
  private static final int MAX_HEADERS = 8192;

  @Test
  void theDecoderKeepsItsBuilderInTheFieldThatIsReplaced() {
    assertThat(Arrays.stream(HpackDecoder.class.getDeclaredFields()).map(Field::getName))
        .as("Jetty's HpackDecoder changed: HeaderSpaces replaces its field _builder")
        .contains("_builder");
    assertThat(HpackDecoder.class.getDeclaredFields())
        .filteredOn(field -> field.getName().equals("_builder"))
        .as("Jetty's HpackDecoder changed: HeaderSpaces puts a MetaDataBuilder into _builder")
        .allMatch(field -> field.getType().equals(MetaDataBuilder.class));
  }

  @Test
  void jettyAloneRefusesASpaceAtTheEnd() {
    assertThatThrownBy(() -> userAgent(decoder(), "kubectl/ "))
        .as("Jetty accepts spaces around values: HeaderSpaces can go")
        .isInstanceOf(HpackException.StreamException.class)
        .hasMessageContaining("Illegal header value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kubectl/ ", " kubectl/", "\tkubectl/ \t", "kubectl/"})
  void spacesAndTabsAtTheEndsAreRemoved(String sent) throws Exception {
    HpackDecoder decoder = decoder();
    HeaderSpaces.install(decoder);

    assertThat(userAgent(decoder, sent))
        .as("Jetty's HpackDecoder changed: the builder of HeaderSpaces is not used")
        .isEqualTo("kubectl/");
    assertThat(userAgent(decoder, sent)).as("the next request").isEqualTo("kubectl/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\r\nb ", "a\0 "})
  void otherIllegalValuesStayRefused(String sent) {
    HpackDecoder decoder = decoder();
    HeaderSpaces.install(decoder);

    assertThatThrownBy(() -> userAgent(decoder, sent))
        .isInstanceOf(HpackException.StreamException.class);
  }

  private static HpackDecoder decoder() {
    HpackDecoder decoder = new HpackDecoder(MAX_HEADERS, System::nanoTime);
    decoder.setMaxHeaderListSize(MAX_HEADERS);
    return decoder;
  }

  private static String userAgent(HpackDecoder decoder, String value) throws HpackException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    // Indexed fields of RFC 7541's static table: :method GET, :path /, :scheme https.
    block.writeBytes(new byte[] {(byte) 0x82, (byte) 0x84, (byte) 0x87});
    literal(block, ":authority", "localhost");
    literal(block, "user-agent", value);
    MetaData request = decoder.decode(ByteBuffer.wrap(block.toByteArray()));
    return request.getHttpFields().get("user-agent");
  }

  /// A field that is not indexed, name and value as they are (RFC 7541, section 6.2.2).
  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
  }
}
