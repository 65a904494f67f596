package dev.berth.vm.guest.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/// Frames from any cut of a stream of bytes, and none from a damaged one.
final class FrameReaderTest {
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  @Test
  void aBodyComesInFramesWithPaddingBetweenThem() throws Exception {
    byte[] body = new byte[40_000];
    new Random(1).nextBytes(body);
    sent.writeBytes(new byte[1000]);
    sent.writeBytes(WireFrame.encode(FrameType.ANSWER, -2, body));
    sent.writeBytes(new byte[70_000]);
    sent.writeBytes(WireFrame.encode(FrameType.EXITED, 0, new byte[0]));
    FrameReader reader = reader(7);

    ByteArrayOutputStream received = new ByteArrayOutputStream();
    WireFrame frame = reader.next();
    while (frame.more()) {
      assertThat(frame.payload()).hasSize(WireFrame.MAXIMUM_PAYLOAD);
      assertThat(frame.id()).isEqualTo(-2);
      received.writeBytes(frame.payload());
      frame = reader.next();
    }
    received.writeBytes(frame.payload());
    assertThat(received.toByteArray()).isEqualTo(body);
    assertThat(reader.next().type()).isEqualTo(FrameType.EXITED);
    assertThatThrownBy(reader::next).isInstanceOf(EOFException.class);
  }

  @Test
  void everythingBeforeTheNonceIsSkipped() throws Exception {
    byte[] nonce = "0123456789abcdef".getBytes(UTF_8);
    sent.writeBytes(new byte[100]);
    sent.writeBytes("0123456789abcde0123456789abcdeX".getBytes(UTF_8));
    sent.writeBytes(nonce);
    sent.writeBytes(WireFrame.encode(FrameType.WELCOME, 0, new byte[] {1}));
    FrameReader reader = reader(3);
    reader.skipTo(nonce, 1000);
    assertThat(reader.next().payload()).containsExactly(1);
    assertThatThrownBy(() -> reader(3).skipTo(nonce, 140)).isInstanceOf(ProtocolViolation.class);
  }

  /// Any damaged byte is noticed: the frame is refused, or more bytes are wanted than come.
  @RepeatedTest(50)
  void aDamagedFrameIsNotAccepted(RepetitionInfo repetition) throws Exception {
    Random random = new Random(repetition.getCurrentRepetition());
    byte[] payload = new byte[random.nextInt(200)];
    random.nextBytes(payload);
    byte[] frame = WireFrame.encode(FrameType.OUTPUT, 0, payload);
    frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
    sent.writeBytes(frame);
    assertThatThrownBy(() -> reader(1000).next())
        .isInstanceOfAny(ProtocolViolation.class, EOFException.class);
  }

  /// @param most bytes that come at once
  private FrameReader reader(int most) {
    InputStream pieces =
        new ByteArrayInputStream(sent.toByteArray()) {
          @Override
          public int read(byte[] target, int from, int length) {
            return super.read(target, from, Math.min(length, most));
          }
        };
    return new FrameReader(Channels.newChannel(pieces), FrameType.FROM_GUEST);
  }
}
