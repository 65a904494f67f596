package dev.berth.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketPeerTest {
  private static final byte[] MASK = {1, 2, 3, 4};
  private static final byte[] NOTHING = {};

  /// Frames of the server as hexadecimal digits, in their order.
  private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

  private final ByteArrayOutputStream message = new ByteArrayOutputStream();
  private final List<String> messages = new ArrayList<>();
  private int largestPiece;
  private final WebSocketPeer peer = new WebSocketPeer(new Frames(), this::receive);

  private final class Frames extends OutputStream {
    @Override
    public void write(int one) {
      throw new AssertionError("a frame is one call");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      sent.add(HexFormat.of().formatHex(bytes, offset, offset + length));
    }
  }

  private void receive(byte[] piece, boolean last) {
    message.writeBytes(piece);
    largestPiece = Math.max(largestPiece, piece.length);
    if (last) {
      messages.add(message.toString(StandardCharsets.UTF_8));
      message.reset();
    }
  }

  /// A frame as a client sends it, masked.
  private static byte[] frame(int first, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(14 + payload.length).put((byte) first);
    if (payload.length <= 125) {
      frame.put((byte) (0x80 | payload.length));
    } else if (payload.length <= 0xffff) {
      frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
    } else {
      frame.put((byte) (0x80 | 127)).putLong(payload.length);
    }
    frame.put(MASK);
    for (int i = 0; i < payload.length; i++) {
      frame.put((byte) (payload[i] ^ MASK[i % 4]));
    }
    byte[] bytes = new byte[frame.flip().remaining()];
    frame.get(bytes);
    return bytes;
  }

  private static byte[] frame(int first, String payload) {
    return frame(first, payload.getBytes(StandardCharsets.UTF_8));
  }

  private boolean read(byte[] bytes) throws IOException {
    return peer.read(ByteBuffer.wrap(bytes));
  }

  private String next() throws InterruptedException {
    return Objects.requireNonNull(sent.poll(30, TimeUnit.SECONDS), "nothing was sent");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100_000})
  void framesAreUnderstoodHoweverTheirBytesComeIn(int pieces) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(frame(0x81, NOTHING));
    all.writeBytes(frame(0x82, "a".repeat(301)));
    all.writeBytes(frame(0x01, "b".repeat(70_001)));
    all.writeBytes(frame(0x89, "one"));
    all.writeBytes(frame(0x00, "é"));
    all.writeBytes(frame(0x80, "c".repeat(125)));
    all.writeBytes(frame(0x8a, "pong"));
    byte[] bytes = all.toByteArray();
    for (int at = 0; at < bytes.length; at += pieces) {
      byte[] piece = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + pieces));
      assertThat(read(piece)).isTrue();
    }
    assertThat(messages)
        .containsExactly("", "a".repeat(301), "b".repeat(70_001) + "é" + "c".repeat(125));
    assertThat(next()).isEqualTo("8a036f6e65");
    assertThat(read(frame(0x88, new byte[] {3, (byte) 0xe9}))).isFalse();
    peer.end();
    assertThat(next()).isEqualTo("880203e9");
  }

  /// What is wrong, the bytes, and the close code of RFC 6455 section 7.4.1.
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // Section 5.1.
    "frame without a mask,                 '81 01 61',                                  1002",
    "ping without a mask,                  '89 01 61',                                  1002",
    "empty frame without a mask,           '81 00',                                     1002",
    // Section 5.2.
    "first reserved bit,                   'c1 81 00 00 00 00 61',                      1002",
    "second reserved bit,                  'a1 81 00 00 00 00 61',                      1002",
    "third reserved bit,                   '91 81 00 00 00 00 61',                      1002",
    "reserved bit of a ping,               'c9 80 00 00 00 00',                         1002",
    "reserved bit of a long frame,         'c2 ff 00 00 00 00 7f ff ff ff 00 00 00 00 61', 1002",
    "unknown data frame,                   '83 80 00 00 00 00',                         1002",
    "unknown control frame,                '8b 80 00 00 00 00',                         1002",
    "length with its highest bit,          '82 ff ff ff ff ff ff ff ff ff 00 00 00 00', 1009",
    "length that nobody can send,          '82 ff 00 00 00 01 00 00 00 00 00 00 00 00', 1009",
    // Section 5.4.
    "continuation of nothing,              '80 81 00 00 00 00 61',                      1002",
    "message within a message,             '01 80 00 00 00 00 81 80 00 00 00 00',       1002",
    // Section 5.5.
    "ping in fragments,                    '09 80 00 00 00 00',                         1002",
    "close in fragments,                   '08 80 00 00 00 00',                         1002",
    "ping of 126 bytes,                    '89 fe 00 7e 00 00 00 00 61',                1002",
    "ping of a huge length,                '89 ff 00 00 00 00 7f ff ff ff 00 00 00 00 61', 1002",
    "close frame of 126 bytes,             '88 fe 00 7e 00 00 00 00 03',                1002",
    // Section 5.5.1 and 7.4.
    "close code of one byte,               '88 81 00 00 00 00 03',                      1002",
    "close code 999,                       '88 82 00 00 00 00 03 e7',                   1002",
    "close code 1004,                      '88 82 00 00 00 00 03 ec',                   1002",
    "close code 1005 that is never sent,   '88 82 00 00 00 00 03 ed',                   1002",
    "close code 1006 that is never sent,   '88 82 00 00 00 00 03 ee',                   1002",
    "close code 1015 that is never sent,   '88 82 00 00 00 00 03 f7',                   1002",
    "close code 2999,                      '88 82 00 00 00 00 0b b7',                   1002",
    "close code 5000,                      '88 82 00 00 00 00 13 88',                   1002",
    "close reason that is not UTF-8,       '88 83 00 00 00 00 03 e8 ff',                1007",
    // Section 8.1.
    "text that is not UTF-8,               '81 81 00 00 00 00 ff',                      1007",
    "text that ends within a character,    '81 81 00 00 00 00 c3',                      1007",
    "overlong character,                   '81 82 00 00 00 00 c0 80',                   1007",
    "half of a surrogate pair,             '81 83 00 00 00 00 ed a0 80',                1007",
    "bad text in the second fragment,      '01 81 00 00 00 00 61 80 81 00 00 00 00 ff', 1007",
    "bad text after a ping and a fragment, '01 81 00 00 00 00 61 89 80 00 00 00 00 00 81 00 00 00 00 61 80 81 00 00 00 00 ff', 1007",
  })
  void aFrameAgainstTheRulesClosesTheConnection(String what, String hex, String code)
      throws Exception {
    byte[] bytes = HexFormat.ofDelimiter(" ").parseHex(hex);
    boolean goesOn = true;
    for (byte one : bytes) {
      goesOn &= read(new byte[] {one});
    }
    assertThat(goesOn).isFalse();
    assertThat(closeCode()).as(what).isEqualTo(Integer.parseInt(code));
    peer.end();
    assertThat(sent).isEmpty();
  }

  private int closeCode() throws InterruptedException {
    String frame = next();
    while (frame.startsWith("8a")) {
      frame = next();
    }
    assertThat(frame).startsWith("88");
    return HexFormat.fromHexDigits(frame, 4, 8);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "no code,                    '88 80 00 00 00 00',             8800",
    "code 1000,                  '88 82 00 00 00 00 03 e8',       880203e8",
    "code 1001 with a reason,    '88 84 00 00 00 00 03 e9 c3 a9', 880403e9c3a9",
    "code 4999,                  '88 82 00 00 00 00 13 87',       88021387",
    "a bad frame after it,       '88 80 00 00 00 00 ff ff',       8800",
    "a message after it,         '88 80 00 00 00 00 81 80 00 00 00 00', 8800"
  })
  void aCloseFrameIsAnsweredWithItsOwnCode(String what, String hex, String answer)
      throws Exception {
    assertThat(read(HexFormat.ofDelimiter(" ").parseHex(hex))).isFalse();
    assertThat(read(frame(0x81, "late"))).isFalse();
    peer.end();
    assertThat(next()).as(what).isEqualTo(answer);
    assertThat(messages).isEmpty();
  }

  @Test
  void nothingIsKeptOfAFrameThatAnnouncesTwoGigabytes() throws Exception {
    read(HexFormat.of().parseHex("82ff000000007fffffff00000000"));
    for (int i = 0; i < 100; i++) {
      assertThat(read(new byte[1000])).isTrue();
    }
    assertThat(message.size()).isEqualTo(100_000);
    assertThat(largestPiece).isEqualTo(1000);
  }

  @Test
  void aBinaryMessageMayHaveAnyBytes() throws Exception {
    assertThat(read(frame(0x82, new byte[] {(byte) 0xff}))).isTrue();
    assertThat(messages).hasSize(1);
  }

  @Test
  void aMessageIsOneFrameOfAKnownLength() throws Exception {
    peer.send(new byte[] {7}, "four".getBytes(StandardCharsets.UTF_8));
    assertThat(next()).isEqualTo("820507666f7572");
    peer.send(NOTHING, new byte[126]);
    assertThat(next()).startsWith("827e007e00").hasSize(2 * (4 + 126));
    peer.send(new byte[1], new byte[0xffff]);
    assertThat(next()).startsWith("827f000000000001000000").hasSize(2 * (10 + 0x10000));
  }

  @Test
  void aReceiverThatTakesNoMoreIsNoFaultOfTheClient() {
    WebSocketPeer broken =
        new WebSocketPeer(
            new Frames(),
            (_, _) -> {
              throw new IOException("full");
            });
    assertThatThrownBy(() -> broken.read(ByteBuffer.wrap(frame(0x82, "a"))))
        .isInstanceOf(IOException.class)
        .hasMessage("full");
    assertThat(sent).isEmpty();
  }
}
