package dev.berth.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketFramesTest {
  private static final byte[] MASK = {1, 2, 3, 4};

  private final List<String> seen = new ArrayList<>();
  private final ByteArrayOutputStream message = new ByteArrayOutputStream();
  private final List<String> messages = new ArrayList<>();
  private final WebSocketFrames frames =
      new WebSocketFrames(
          new WebSocketFrames.Listener() {
            @Override
            public void ping(byte[] payload) {
              seen.add("ping " + new String(payload, StandardCharsets.UTF_8));
            }

            @Override
            public void goodBye() {
              seen.add("good-bye");
            }

            @Override
            public void data(byte[] piece, boolean last) {
              message.writeBytes(piece);
              if (last) {
                messages.add(message.toString(StandardCharsets.UTF_8));
                message.reset();
              }
            }
          });

  /// A frame as a client sends it.
  private static byte[] frame(int first, byte[] payload) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] head = head(payload.length);
    head[0] = (byte) first;
    head[1] |= (byte) 0x80;
    out.writeBytes(head);
    out.writeBytes(MASK);
    for (int i = 0; i < payload.length; i++) {
      out.write(payload[i] ^ MASK[i % 4]);
    }
    return out.toByteArray();
  }

  private static byte[] head(int length) {
    ByteBuffer head = WebSocketFrames.head(WebSocketFrames.TEXT, length);
    byte[] bytes = new byte[head.remaining()];
    head.get(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100_000})
  void framesAreUnderstoodHoweverTheirBytesComeIn(int pieces) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(frame(0x89, "one".getBytes(StandardCharsets.UTF_8)));
    all.writeBytes(frame(0x81, new byte[0]));
    all.writeBytes(frame(0x82, "a".repeat(301).getBytes(StandardCharsets.UTF_8)));
    all.writeBytes(frame(0x01, "b".repeat(70_001).getBytes(StandardCharsets.UTF_8)));
    all.writeBytes(frame(0x80, "c".repeat(125).getBytes(StandardCharsets.UTF_8)));
    all.writeBytes(frame(0x8a, "pong".getBytes(StandardCharsets.UTF_8)));
    all.writeBytes(frame(0x89, new byte[0]));
    all.writeBytes(frame(0x88, new byte[] {3, (byte) 0xe8}));
    byte[] bytes = all.toByteArray();
    for (int at = 0; at < bytes.length; at += pieces) {
      frames.read(ByteBuffer.wrap(bytes, at, Math.min(pieces, bytes.length - at)));
    }
    assertThat(seen).containsExactly("ping one", "ping ", "good-bye");
    assertThat(messages).containsExactly("", "a".repeat(301), "b".repeat(70_001) + "c".repeat(125));
  }

  @Test
  void headsTellTheLength() {
    assertThat(head(5)).containsExactly(0x81, 5);
    assertThat(head(300)).containsExactly(0x81, 126, 1, 44);
    assertThat(head(70_000)).containsExactly(0x81, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70);
  }

  @ParameterizedTest
  @CsvSource({
    "'81 05 00 00 00 00', frames of clients must be masked",
    "'c1 80 00 00 00 00', an extension was not agreed on",
    "'09 80 00 00 00 00', control frames must be whole and short",
    "'89 fe 00 80 00 00 00 00', control frames must be whole and short",
    "'82 ff ff ff ff ff ff ff ff ff 00 00 00 00', a frame cannot be that long"
  })
  void brokenFramesAreRefused(String hex, String why) {
    byte[] bytes = java.util.HexFormat.ofDelimiter(" ").parseHex(hex);
    assertThatThrownBy(() -> frames.read(ByteBuffer.wrap(bytes)))
        .isInstanceOf(ProtocolException.class)
        .hasMessage(why);
  }
}
