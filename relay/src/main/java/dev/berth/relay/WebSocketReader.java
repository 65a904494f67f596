package dev.berth.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.websocket.core.Behavior;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.exception.CloseException;
import org.eclipse.jetty.websocket.core.internal.FrameSequence;
import org.eclipse.jetty.websocket.core.internal.Parser;
import org.eclipse.jetty.websocket.core.util.FrameValidation;

/// Reads the frames of a WebSocket client with Jetty's parser and Jetty's checks (RFC 6455).
///
/// Memory is bounded whatever lengths the client announces: the parser hands out data frames in
/// pieces as their bytes arrive, and keeps only control frames, of at most 125 bytes.
final class WebSocketReader {
  /// Takes the frames that keep to the protocol.
  @FunctionalInterface
  interface Listener {
    /// Takes a control frame, or a piece of a message that is a frame of its own.
    void accept(Frame.Parsed frame) throws IOException;
  }

  /// What Jetty's checks ask of a connection: the server's side, without extensions.
  private static final class ServerSide extends CoreSession.Empty {
    ServerSide() {
      setAutoFragment(true);
      setMaxFrameSize(0);
    }

    @Override
    public Behavior getBehavior() {
      return Behavior.SERVER;
    }
  }

  private final CoreSession session = new ServerSide();
  private final Parser parser = new Parser(ByteBufferPool.NON_POOLING, session);
  private final FrameSequence sequence = new FrameSequence();
  private final WebSocketText text = new WebSocketText();
  private final Listener listener;

  WebSocketReader(Listener listener) {
    this.listener = listener;
  }

  /// Reads bytes, and delivers the frames that they complete, up to a close frame (RFC 6455 section
  /// 5.5.1: what follows it is not looked at). The bytes are unmasked in place.
  ///
  /// @throws CloseException with the close code, when the client breaks the rules of the protocol
  /// @throws IOException that the listener has thrown
  void read(ByteBuffer bytes) throws IOException {
    for (Frame.Parsed frame = parser.parse(bytes); frame != null; frame = parser.parse(bytes)) {
      FrameValidation.assertValidIncoming(frame, session);
      sequence.check(frame.getOpCode(), frame.isFin());
      if (frame.isDataFrame()) {
        text.check(frame);
      }
      listener.accept(frame);
      if (frame.getOpCode() == OpCode.CLOSE) {
        return;
      }
    }
  }
}
