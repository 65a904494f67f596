package dev.berth.agent.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.streams.RuntimeStreams.RequestedStreams;
import dev.berth.cri.streaming.SpdyFrames;
import dev.berth.relay.RelaySession;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.DefaultSpdyRstStreamFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyDataFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdySynStreamFrame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CommandTranslationTest {
  private static final RequestedStreams TERMINAL = new RequestedStreams(true, true, true, true);
  private static final RequestedStreams ALL = new RequestedStreams(true, true, true, false);

  private final ByteArrayOutputStream client = new ByteArrayOutputStream();
  private final ByteArrayOutputStream runtime = new ByteArrayOutputStream();
  private final SpdyFrames decoder = new SpdyFrames();
  private final SpdyFrames encoder = new SpdyFrames();

  private RelaySession session(RequestedStreams wanted) throws IOException {
    return CommandTranslation.open(client, runtime, wanted);
  }

  /// What the runtime was sent since the last time, one word for each frame.
  private List<String> sent() throws ProtocolException {
    List<String> words = new ArrayList<>();
    for (SpdyFrame frame : decoder.decode(ByteBuffer.wrap(runtime.toByteArray()))) {
      switch (frame) {
        case SpdySynStreamFrame opened ->
            words.add(opened.streamId() + " " + opened.headers().get("streamtype"));
        case SpdyDataFrame data ->
            words.add(
                data.streamId()
                    + ":"
                    + data.content().toString(StandardCharsets.UTF_8)
                    + (data.isLast() ? "." : ""));
        default -> words.add(frame.toString());
      }
    }
    runtime.reset();
    return words;
  }

  /// A message of the client; its mask changes nothing.
  private static ByteBuffer message(int first, int channel, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(7 + bytes.length)
        .put((byte) first)
        .put((byte) (0x80 | (bytes.length + 1)))
        .putInt(0)
        .put((byte) channel)
        .put(bytes)
        .flip();
  }

  private ByteBuffer data(int stream, String text, boolean last) {
    var frame =
        new DefaultSpdyDataFrame(stream, Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
    frame.setLast(last);
    return ByteBuffer.wrap(encoder.encode(frame));
  }

  /// What the client has got since the last time, without the heads of frames.
  private String heard() {
    String all = client.toString(StandardCharsets.ISO_8859_1);
    client.reset();
    return all;
  }

  @Test
  void eachChannelIsAStreamThatTheRuntimeWaitsFor() throws IOException {
    session(ALL);
    assertThat(sent()).containsExactly("1 error", "3 stdin", "5 stdout", "7 stderr");
  }

  @Test
  void aTerminalHasSizesAndNoErrors() throws IOException {
    RelaySession session = session(TERMINAL);
    assertThat(sent()).containsExactly("1 error", "3 stdin", "5 stdout", "9 resize");
    session.fromClient(message(0x82, 4, "{\"Width\":1}"));
    assertThat(sent()).containsExactly("9:{\"Width\":1}");
  }

  @Test
  void inputIsPassedOnAndClosed() throws IOException {
    RelaySession session = session(ALL);
    sent();
    assertThat(session.fromClient(message(0x82, 0, "one"))).isTrue();
    assertThat(session.fromClient(message(0x82, 255, "\0"))).isTrue();
    assertThat(session.fromClient(message(0x82, 0, "late"))).isTrue();
    assertThat(sent()).containsExactly("3:one", "3:.");
  }

  @Test
  void aMessageInPiecesBelongsToOneChannel() throws IOException {
    RelaySession session = session(ALL);
    sent();
    ByteBuffer first = message(0x02, 0, "on");
    while (first.hasRemaining()) {
      session.fromClient(first.slice(first.position(), 1));
      first.position(first.position() + 1);
    }
    session.fromClient(message(0x80, 'e', " two"));
    assertThat(String.join("", sent())).isEqualTo("3:o3:n3:e two");
  }

  @Test
  void whatNobodyWaitsForIsDropped() throws IOException {
    RelaySession session = session(new RequestedStreams(false, true, false, false));
    sent();
    session.fromClient(message(0x82, 0, "input"));
    session.fromClient(message(0x82, 1, "output"));
    session.fromClient(message(0x82, 9, "?"));
    session.fromClient(message(0x82, 255, "\1"));
    assertThat(sent()).isEmpty();
  }

  @Test
  void outputIsMessagesUntilAllOfItHasEnded() throws IOException {
    RelaySession session = session(ALL);
    assertThat(session.fromBackend(data(5, "out", false))).isTrue();
    assertThat(heard()).isEqualTo("\u0082\4\1out");
    assertThat(session.fromBackend(data(7, "err", true))).isTrue();
    assertThat(heard()).isEqualTo("\u0082\4\2err");
    assertThat(session.fromBackend(data(5, "", true))).isTrue();
    assertThat(session.fromBackend(data(1, "{}", false))).isTrue();
    assertThat(heard()).isEqualTo("\u0082\3\3{}");
    var reset = new DefaultSpdyRstStreamFrame(1, 5);
    assertThat(session.fromBackend(ByteBuffer.wrap(encoder.encode(reset)))).isFalse();
    session.end();
    session.end();
    assertThat(heard()).isEqualTo("\u0088\2\3\u00e8");
  }

  @Test
  void aCloseFrameEndsTheSessionWithItsOwnCode() throws IOException {
    RelaySession session = session(ALL);
    assertThat(session.fromClient(message(0x88, 15, "A"))).isFalse();
    session.end();
    assertThat(heard()).isEqualTo("\u0088\2\17A");
  }

  @Test
  void aFrameAgainstTheRulesIsAnsweredWithItsCloseCode() throws IOException {
    RelaySession session = session(ALL);
    assertThat(session.fromClient(ByteBuffer.wrap(new byte[] {(byte) 0x82, 1, 0, 0, 0, 0})))
        .isFalse();
    assertThat(heard())
        .isEqualTo("\u0088\65\3\u00eaClient MUST mask all frames (RFC-6455: Section 5.1)");
  }

  @Test
  void aRuntimeThatDoesNotSpeakSpdyIsAnError() throws IOException {
    RelaySession session = session(ALL);
    assertThatThrownBy(
            () -> session.fromBackend(ByteBuffer.wrap(new byte[] {-128, 9, 0, 1, 0, 0, 0, 0})))
        .isInstanceOf(ProtocolException.class);
  }
}
