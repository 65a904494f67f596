package dev.berth.relay;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.exception.CloseException;
import org.eclipse.jetty.websocket.core.internal.Generator;

/// The server's end of a WebSocket in a relay: messages of the client go to a receiver, pings are
/// answered.
public final class WebSocketPeer {
  private static final byte[] EMPTY = {};

  /// Takes the messages of the client as they come.
  @FunctionalInterface
  public interface Receiver {
    /// Takes the next piece of a message.
    ///
    /// @param last whether the message ends with this piece
    void accept(byte[] piece, boolean last) throws IOException;
  }

  private final OutputStream client;
  private final Receiver receiver;
  private final WebSocketReader reader = new WebSocketReader(this::take);
  private final Generator generator = new Generator();
  private final AtomicBoolean ponging = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();

  /// What the server closes with; the thread that reads sets it when the client closes first.
  private volatile CloseStatus closing = CloseStatus.NORMAL_STATUS;

  /// Used by the one thread that reads.
  private boolean isClosedByClient;

  /// Makes the server's end of a WebSocket whose handshake is done.
  ///
  /// @param client takes whole frames from any thread
  public WebSocketPeer(OutputStream client, Receiver receiver) {
    this.client = client;
    this.receiver = receiver;
  }

  /// Reads what the client sent, and changes the bytes.
  ///
  /// @return false when the client has closed the WebSocket or broken the protocol
  public boolean read(ByteBuffer bytes) throws IOException {
    if (isClosedByClient) {
      return false;
    }
    try {
      reader.read(bytes);
      return !isClosedByClient;
    } catch (CloseException e) {
      closing = new CloseStatus(e.getStatusCode(), e.getMessage());
      end();
      return false;
    }
  }

  private void take(Frame.Parsed frame) throws IOException {
    switch (frame.getOpCode()) {
      case OpCode.PING -> pong(BufferUtil.toArray(frame.getPayload()));
      case OpCode.PONG -> {
        // No pings are sent; a pong that nobody asked for is allowed (RFC 6455 section 5.5.3).
      }
      case OpCode.CLOSE -> {
        isClosedByClient = true;
        closing = frame.getCloseStatus();
      }
      default -> receiver.accept(BufferUtil.toArray(frame.getPayload()), frame.isFin());
    }
  }

  /// Sends one binary message of two parts.
  public void send(byte[] prefix, byte[] bytes) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(prefix.length + bytes.length).put(prefix).put(bytes);
    write(new Frame(OpCode.BINARY, payload.flip()));
  }

  /// Sends a pong that nobody asked for (RFC 6455 section 5.5.3): a client whose pings wait behind
  /// its data sees that the connection lives.
  public void pong() {
    pong(EMPTY);
  }

  /// Answers on a thread of its own, because the thread that reads must not wait until the client
  /// reads. One pong at a time, so that a flood of pings gets a few pongs.
  private void pong(byte[] payload) {
    if (!ended.get() && ponging.compareAndSet(false, true)) {
      Thread.ofVirtual()
          .name("websocket-pong")
          .start(
              () -> {
                try {
                  write(new Frame(OpCode.PONG, ByteBuffer.wrap(payload)));
                } catch (IOException _) {
                  // The thread that reads finds out that the client is gone.
                } finally {
                  ponging.set(false);
                }
              });
    }
  }

  /// Sends the close frame, once; a client that closed first gets its own code back.
  public void end() throws IOException {
    if (ended.compareAndSet(false, true)) {
      write(closing.toFrame());
    }
  }

  /// Writes the frame in one call, so that frames of several threads do not mix.
  private void write(Frame frame) throws IOException {
    ByteBuffer bytes = BufferUtil.allocate(Generator.MAX_HEADER_LENGTH + frame.getPayloadLength());
    generator.generateWholeFrame(frame, bytes);
    client.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
  }
}
