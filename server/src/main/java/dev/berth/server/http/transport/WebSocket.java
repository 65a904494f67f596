package dev.berth.server.http.transport;

import dev.berth.relay.HangUp;
import dev.berth.relay.UpgradedProtocol;
import dev.berth.relay.WebSocketText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.websocket.core.Behavior;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.ExtensionStack;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.Negotiated;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.WebSocketComponents;
import org.eclipse.jetty.websocket.core.WebSocketConnection;
import org.eclipse.jetty.websocket.core.WebSocketConstants;
import org.eclipse.jetty.websocket.core.WebSocketCoreSession;
import org.eclipse.jetty.websocket.core.exception.CloseException;

/// A WebSocket connection: the server sends messages, the client may ping and close. Jetty reads,
/// validates and writes the frames.
///
/// Three kinds of threads use it. The sender calls `send` and `end`; Jetty's threads deliver frames
/// of the client and complete writes. A disconnect interrupts the sender, which may wait for a node
/// or for events and would otherwise notice only with its next message.
public final class WebSocket implements FrameHandler {
  /// Bytes that the client must take within the stall limit.
  private static final int PIECE = 256 << 10;

  /// Time limit for the client's answer to the close frame.
  private static final Duration CLOSING = Duration.ofSeconds(1);

  private final HttpLimits limits;
  private final WriteBacklog.Share share;
  private final Thread sender;
  private final Upgraded connection;
  private final Session session;
  private final WebSocketText text = new WebSocketText();
  private final CountDownLatch opened = new CountDownLatch(1);
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final AtomicBoolean ponging = new AtomicBoolean();

  /// Time limit for the next piece of a message; volatile because threads that answer pings read
  /// it.
  private volatile Duration stall;

  /// Set by the sender when it no longer wants to be interrupted.
  private volatile boolean isEnding;

  /// Confined to the sender: it aborted a message before the client had all of it.
  private boolean isTorn;

  /// @param components of the server; extensions are not negotiated and need nothing of them
  /// @param sender the thread to interrupt when the client disconnects
  WebSocket(
      ConnectionMetaData client,
      WebSocketComponents components,
      HttpLimits limits,
      WriteBacklog.Share share,
      Thread sender) {
    this.limits = limits;
    this.stall = limits.stall();
    this.share = share;
    this.sender = sender;
    ExtensionStack none = new ExtensionStack(components, Behavior.SERVER);
    none.negotiate(List.of(), List.of());
    this.session = new Session(none, components);
    this.connection =
        new Upgraded(client.getConnection().getEndPoint(), client.getConnector(), session);
    session.setWebSocketConnection(connection);
  }

  /// Jetty's state of the WebSocket.
  private final class Session extends WebSocketCoreSession {
    Session(ExtensionStack extensions, WebSocketComponents components) {
      super(WebSocket.this, Behavior.SERVER, negotiated(extensions), components);
      // A message is one frame, because Go's x/net WebSockets do not reassemble fragments. Client
      // frames may have any length: their pieces are discarded.
      setMaxFrameSize(0);
    }

    private static Negotiated negotiated(ExtensionStack extensions) {
      return new Negotiated(
          URI.create("/"), "", true, extensions, WebSocketConstants.SPEC_VERSION_STRING);
    }

    /// While the sender waits for the client in a long message, the close frame is queued behind
    /// it.
    @Override
    public void processConnectionError(Throwable cause, Callback callback) {
      super.processConnectionError(cause, callback);
      hangUp();
    }

    @Override
    public void processHandlerError(Throwable cause, Callback callback) {
      super.processHandlerError(cause, callback);
      hangUp();
    }
  }

  /// Jetty's connection, in use until it ends.
  private static final class Upgraded extends WebSocketConnection implements UpgradedProtocol {
    Upgraded(EndPoint endPoint, Connector connector, Session session) {
      super(
          endPoint,
          connector.getExecutor(),
          connector.getScheduler(),
          connector.getByteBufferPool(),
          session);
    }

    /// No idle timeout: a watch or log without traffic is healthy.
    @Override
    public boolean onIdleExpired(TimeoutException timeout) {
      return false;
    }
  }

  /// The connection that replaces the HTTP connection.
  Connection connection() {
    return connection;
  }

  /// If the client closes the connection before the upgrade completes, only this code closes it.
  void awaitOpen() throws IOException, InterruptedException {
    boolean open = false;
    try {
      open = opened.await(limits.stall().toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      if (!open) {
        connection.getEndPoint().close();
      }
    }
    if (!open) {
      throw new SlowClientException(limits.stall());
    }
  }

  @Override
  public void onOpen(CoreSession opening, Callback callback) {
    callback.succeeded();
    opened.countDown();
    session.demand();
  }

  /// Called for one frame at a time.
  @Override
  public void onFrame(Frame frame, Callback callback) {
    try {
      switch (frame.getOpCode()) {
        case OpCode.PING -> pong(frame.getPayload());
        case OpCode.PONG -> {
          // The server sends no pings; unsolicited pongs are allowed (RFC 6455 section 5.5.3).
        }
        case OpCode.CLOSE -> {
          // Jetty answers with the same close code.
          callback.succeeded();
          hangUp();
          return;
        }
        default -> text.check(frame);
      }
    } catch (CloseException e) {
      callback.failed(e);
      return;
    }
    callback.succeeded();
    session.demand();
  }

  /// The server sends one pong at a time, so a flood of pings gets few pongs. Reading continues
  /// meanwhile, so that the end of the connection is noticed.
  private void pong(ByteBuffer payload) {
    if (session.isOutputOpen() && ponging.compareAndSet(false, true)) {
      var _ =
          enqueue(new Frame(OpCode.PONG, BufferUtil.copy(payload)))
              .orTimeout(stall.toMillis(), TimeUnit.MILLISECONDS)
              .whenComplete((_, why) -> endPong(why != null));
    }
  }

  private void endPong(boolean hasFailed) {
    ponging.set(false);
    if (hasFailed && !isEnding) {
      session.abort();
    }
  }

  @Override
  public void onError(Throwable cause, Callback callback) {
    callback.succeeded();
  }

  @Override
  public void onClosed(CloseStatus status, Callback callback) {
    closed.complete(null);
    hangUp();
    callback.succeeded();
  }

  private void hangUp() {
    if (!isEnding) {
      sender.interrupt();
    }
  }

  boolean isClosed() {
    return session.isClosed() || !connection.getEndPoint().isOpen();
  }

  /// Lets the client pause while it holds no more than one buffer.
  public void allowPauses() {
    stall = HangUp.READING;
  }

  /// Sends one message; called by the sender.
  ///
  /// @param opcode {@link OpCode#TEXT} or {@link OpCode#BINARY}
  public void send(byte opcode, ByteBuffer payload) throws IOException {
    int length = payload.remaining();
    CompletableFuture<Void> sent = enqueue(new Frame(opcode, payload));
    // Until all of the message has left, a close frame would end up inside of it.
    isTorn = true;
    try {
      sent.get(stall.toMillis() * (1 + length / PIECE), TimeUnit.MILLISECONDS);
      isTorn = false;
    } catch (ExecutionException e) {
      connection.getEndPoint().close(e.getCause());
      throw new IOException("the client is gone", e.getCause());
    } catch (TimeoutException e) {
      connection.getEndPoint().close(e);
      throw new SlowClientException(stall);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while writing");
    } finally {
      sent.cancel(false);
    }
  }

  /// The bytes count as the client's backlog until they are sent.
  private CompletableFuture<Void> enqueue(Frame frame) {
    int length = frame.getPayloadLength();
    CompletableFuture<Void> sent = new CompletableFuture<>();
    session.sendFrame(frame, completing(sent), false);
    if (!sent.isDone()) {
      share.add(sent, length);
    }
    return sent;
  }

  private static Callback completing(CompletableFuture<Void> future) {
    return Callback.from(
        Invocable.InvocationType.NON_BLOCKING,
        () -> future.complete(null),
        future::completeExceptionally);
  }

  /// Closes the WebSocket unless it is already closing, and ends the connection; called by the
  /// sender.
  ///
  /// The client gets a moment to answer the close frame (RFC 6455 section 7.1.1): closing the
  /// socket while the client sends could discard the last messages in flight.
  public void end() {
    isEnding = true;
    if (!isTorn) {
      CompletableFuture<Void> sent = new CompletableFuture<>();
      session.close(CloseStatus.NORMAL_STATUS, completing(sent));
      await(CompletableFuture.anyOf(closed, sent), limits.stall());
      await(closed, CLOSING);
    }
    connection.getEndPoint().close();
  }

  /// Ignores interrupts: the client's disconnect may have interrupted the sender.
  private static void await(CompletableFuture<?> future, Duration most) {
    var _ =
        future
            .handle((_, _) -> true)
            .completeOnTimeout(false, most.toMillis(), TimeUnit.MILLISECONDS)
            .join();
  }
}
