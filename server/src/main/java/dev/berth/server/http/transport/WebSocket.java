package dev.berth.server.http.transport;

import dev.berth.relay.HangUp;
import dev.berth.relay.UpgradedProtocol;
import dev.berth.relay.WebSocketFrames;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritePendingException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;

/// A connection that has become a WebSocket: the server sends messages, the client may ping and
/// close.
public final class WebSocket extends AbstractConnection
    implements Connection.UpgradeTo, UpgradedProtocol, WebSocketFrames.Listener {
  private static final int NORMAL = 1000;
  private static final int PROTOCOL_ERROR = 1002;
  private static final int BUFFER = 2048;
  private static final int PIECE = 256 << 10;

  private final HttpLimits limits;
  private final WriteBacklog.Share share;
  private final Thread sender;
  private final WebSocketFrames frames = new WebSocketFrames(this);
  private final CountDownLatch opened = new CountDownLatch(1);

  /// One frame after the other.
  private final ReentrantLock writing = new ReentrantLock();

  private final AtomicBoolean ponging = new AtomicBoolean();
  private ByteBuffer early = BufferUtil.EMPTY_BUFFER;

  /// How long the client may take for the next piece of a message; threads that answer pings read
  /// it, too.
  private volatile Duration stall;

  /// @param sender is interrupted when the client hangs up
  WebSocket(
      EndPoint endPoint,
      Executor executor,
      HttpLimits limits,
      WriteBacklog.Share share,
      Thread sender) {
    super(endPoint, executor);
    this.limits = limits;
    this.stall = limits.stall();
    this.share = share;
    this.sender = sender;
  }

  @Override
  public void onUpgradeTo(ByteBuffer bytes) {
    early = BufferUtil.copy(bytes);
  }

  @Override
  public void onOpen() {
    super.onOpen();
    opened.countDown();
    if (read(early)) {
      fillInterested();
    }
  }

  /// Nobody else would close the connection if its client said good-bye before this is over.
  void awaitOpen() throws IOException, InterruptedException {
    boolean open = false;
    try {
      open = opened.await(limits.stall().toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      if (!open) {
        getEndPoint().close();
      }
    }
    if (!open) {
      throw new SlowClientException(limits.stall());
    }
  }

  @Override
  public void onFillable() {
    ByteBuffer buffer = BufferUtil.allocate(BUFFER);
    try {
      int filled;
      do {
        BufferUtil.clear(buffer);
        filled = getEndPoint().fill(buffer);
      } while (filled > 0 && read(buffer));
      if (filled == 0) {
        fillInterested();
      } else if (filled < 0) {
        sender.interrupt();
      }
    } catch (IOException _) {
      sender.interrupt();
    }
  }

  private boolean read(ByteBuffer bytes) {
    try {
      frames.read(bytes);
      return true;
    } catch (IOException e) {
      Thread.startVirtualThread(() -> end(PROTOCOL_ERROR));
      return false;
    }
  }

  /// One answer at a time: a flood of pings gets a few pongs.
  @Override
  public void ping(byte[] payload) {
    if (ponging.compareAndSet(false, true)) {
      Thread.startVirtualThread(
          () -> {
            try {
              send(WebSocketFrames.PONG, ByteBuffer.wrap(payload));
            } catch (IOException | WritePendingException _) {
              sender.interrupt();
            } finally {
              ponging.set(false);
            }
          });
    }
  }

  @Override
  public void goodBye() {
    sender.interrupt();
  }

  @Override
  public void onFillInterestedFailed(Throwable cause) {
    sender.interrupt();
    super.onFillInterestedFailed(cause);
  }

  @Override
  public void onClose(Throwable cause) {
    sender.interrupt();
    super.onClose(cause);
  }

  /// A quiet watch is a healthy one, and so is the log of a quiet container.
  @Override
  public boolean onIdleExpired(TimeoutException timeout) {
    return false;
  }

  /// Lets the client read at its own pace what holds no more than a buffer here.
  public void allowPauses() {
    stall = HangUp.READING;
  }

  /// Sends one message.
  ///
  /// @param opcode {@link WebSocketFrames#TEXT} or {@link WebSocketFrames#BINARY}
  public void send(int opcode, ByteBuffer payload) throws IOException {
    int length = payload.remaining();
    CompletableFuture<Void> sent = new CompletableFuture<>();
    writing.lock();
    try {
      getEndPoint()
          .write(
              Callback.from(
                  Invocable.InvocationType.NON_BLOCKING,
                  () -> sent.complete(null),
                  sent::completeExceptionally),
              WebSocketFrames.head(opcode, length),
              payload);
      if (!sent.isDone()) {
        share.add(sent, length);
      }
      sent.get(stall.toMillis() * (1 + length / PIECE), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      getEndPoint().close(e.getCause());
      throw new IOException("the client is gone", e.getCause());
    } catch (TimeoutException e) {
      getEndPoint().close(e);
      throw new SlowClientException(stall);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while writing");
    } finally {
      sent.cancel(false);
      writing.unlock();
    }
  }

  /// Says good-bye and ends the connection.
  public void end() {
    end(NORMAL);
  }

  private void end(int reason) {
    try {
      send(WebSocketFrames.CLOSE, ByteBuffer.allocate(2).putShort((short) reason).flip());
    } catch (IOException | WritePendingException _) {
      // Gone already, or in the middle of a message.
    } finally {
      getEndPoint().close();
    }
  }
}
