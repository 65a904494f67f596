package dev.berth.relay;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/// The server's end of a WebSocket in a relay: messages of the client go to a receiver, pings are
/// answered.
public final class WebSocketPeer {
  private static final int NORMAL = 1000;
  private static final int PROTOCOL_ERROR = 1002;

  /// Takes the messages of the client as they come.
  @FunctionalInterface
  public interface Receiver {
    /// Takes the next piece of a message.
    ///
    /// @param last whether the message ends with this piece
    void accept(byte[] piece, boolean last) throws IOException;
  }

  private final OutputStream client;
  private final WebSocketFrames frames;
  private final AtomicBoolean ponging = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();

  /// Used by the one thread that reads.
  private boolean saidGoodBye;

  /// One end of a WebSocket whose handshake is done.
  ///
  /// @param client takes whole frames from any thread
  public WebSocketPeer(OutputStream client, Receiver receiver) {
    this.client = client;
    this.frames = new WebSocketFrames(new Frames(receiver));
  }

  private final class Frames implements WebSocketFrames.Listener {
    private final Receiver receiver;

    Frames(Receiver receiver) {
      this.receiver = receiver;
    }

    @Override
    public void ping(byte[] payload) {
      pong(payload);
    }

    @Override
    public void goodBye() {
      saidGoodBye = true;
    }

    @Override
    public void data(byte[] piece, boolean last) throws IOException {
      if (!saidGoodBye) {
        receiver.accept(piece, last);
      }
    }
  }

  /// Reads what the client sent.
  ///
  /// @return false when it has said good-bye, or is not understood
  public boolean read(ByteBuffer bytes) throws IOException {
    try {
      frames.read(bytes);
      return !saidGoodBye;
    } catch (ProtocolException e) {
      end(PROTOCOL_ERROR);
      return false;
    }
  }

  /// Sends one binary message of two parts.
  public void send(byte[] prefix, byte[] bytes) throws IOException {
    client.write(frame(WebSocketFrames.BINARY, prefix, bytes));
  }

  /// A pong that nobody asked for (RFC 6455 section 5.5.3): a client whose pings wait behind its
  /// data learns that the connection lives.
  public void pong() {
    pong(new byte[0]);
  }

  /// Apart from the thread that reads, which must not wait until the client reads; one at a time.
  private void pong(byte[] payload) {
    if (!ended.get() && ponging.compareAndSet(false, true)) {
      Thread.ofVirtual()
          .name("websocket-pong")
          .start(
              () -> {
                try {
                  client.write(frame(WebSocketFrames.PONG, payload, new byte[0]));
                } catch (IOException _) {
                  // The thread that reads finds out that the client is gone.
                } finally {
                  ponging.set(false);
                }
              });
    }
  }

  /// Says good-bye, once.
  public void end() throws IOException {
    end(NORMAL);
  }

  private void end(int reason) throws IOException {
    if (ended.compareAndSet(false, true)) {
      byte[] code = ByteBuffer.allocate(2).putShort((short) reason).array();
      client.write(frame(WebSocketFrames.CLOSE, code, new byte[0]));
    }
  }

  private static byte[] frame(int opcode, byte[] prefix, byte[] bytes) {
    int length = prefix.length + bytes.length;
    ByteBuffer head = WebSocketFrames.head(opcode, length);
    return ByteBuffer.allocate(head.remaining() + length).put(head).put(prefix).put(bytes).array();
  }
}
