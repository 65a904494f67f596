package dev.berth.relay;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An upgraded connection of a client, relayed to a backend as bytes or through a {@link
/// RelaySession}.
///
/// Three threads serve it: one for each direction and one that watches. The end of the backend ends
/// the relay; the end of the client closes the backend. Bytes that arrived together with the
/// upgrade request are kept by `onUpgradeTo` and sent first.
public final class UpgradedConnection extends AbstractConnection
    implements Connection.UpgradeTo, UpgradedProtocol {
  private static final Logger log = LoggerFactory.getLogger(UpgradedConnection.class);
  private static final int BUFFER = 32 << 10;
  private static final Duration OPENING = Duration.ofSeconds(30);

  /// How long a client that has received everything may take to close.
  private static final Duration LINGERING = Duration.ofSeconds(1);

  /// The kubelet's idle timeout: a terminal may be idle for hours.
  private static final Duration IDLE = Duration.ofHours(4);

  /// How often to check whether a client still exists while the backend does not accept its bytes.
  private static final Duration LOOK = Duration.ofSeconds(3);

  private final CountDownLatch opened = new CountDownLatch(1);

  /// Serializes writes. Fair, so that a pong is not starved by a flood of output.
  private final ReentrantLock writing = new ReentrantLock(true);

  private ByteBuffer early = BufferUtil.EMPTY_BUFFER;

  /// The number of the current write to the backend; zero when no write is waiting.
  private volatile long sending;

  private UpgradedConnection(Request request) {
    super(
        request.getConnectionMetaData().getConnection().getEndPoint(),
        request.getConnectionMetaData().getConnector().getExecutor());
  }

  /// Whether the client requests an upgrade that HTTP permits.
  public static boolean isWanted(Request request) {
    return request.getHeaders().contains(HttpHeader.CONNECTION, "upgrade")
        && request.getHeaders().contains(HttpHeader.UPGRADE)
        && request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1;
  }

  /// Prepares the answer that upgrades the connection. The caller then completes the request.
  ///
  /// @param answer headers of the answer, usually those of the backend
  public static UpgradedConnection prepare(Request request, Response response, HttpFields answer) {
    UpgradedConnection connection = new UpgradedConnection(request);
    request.setAttribute(HttpStream.UPGRADE_CONNECTION_ATTRIBUTE, connection);
    response.setStatus(BackendAnswer.SWITCHED);
    HttpFields.Mutable headers = response.getHeaders();
    for (HttpField field : answer) {
      if (field.getHeader() != HttpHeader.DATE && field.getHeader() != HttpHeader.SERVER) {
        headers.put(field);
      }
    }
    return connection;
  }

  @Override
  public void onUpgradeTo(ByteBuffer bytes) {
    early = BufferUtil.copy(bytes);
  }

  @Override
  public void onOpen() {
    super.onOpen();
    getEndPoint().setIdleTimeout(IDLE.toMillis());
    opened.countDown();
  }

  /// Never called: readers call the end point directly.
  @Override
  public void onFillable() {}

  /// Relays bytes unchanged until either side ends, and closes both. Returns when that is done.
  public void relay(BackendAnswer backend) throws IOException, InterruptedException {
    relay(backend, CopiedBytes::new);
  }

  /// Relays until either side ends, and closes both. Returns when that is done.
  ///
  /// @param opener opens the session that handles the bytes
  public void relay(BackendAnswer backend, RelaySession.Opener opener)
      throws IOException, InterruptedException {
    if (!opened.await(OPENING.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException("the connection did not change its protocol in time");
    }
    RelaySession session = begin(backend, opener);
    Thread up =
        Thread.ofVirtual().name("relay-to-backend").start(() -> clientToBackend(backend, session));
    Thread.ofVirtual().name("relay-watch").start(() -> watch(up, backend, session));
    try {
      backendToClient(backend, session);
      getEndPoint().shutdownOutput();
      linger(up);
    } finally {
      getEndPoint().close();
      if (up.isAlive()) {
        backend.abort();
      }
      backend.close();
      up.join();
    }
  }

  private RelaySession begin(BackendAnswer backend, RelaySession.Opener opener) throws IOException {
    try {
      return opener.open(new ClientOutput(), backend.toBackend());
    } catch (IOException e) {
      getEndPoint().close();
      throw e;
    }
  }

  /// Waits until the client has received everything. The kernel drops unacknowledged output when a
  /// socket closes while the client still sends, which some clients do every few seconds.
  private void linger(Thread up) throws InterruptedException {
    EndPoint client = getEndPoint();
    long end = System.nanoTime() + IDLE.toNanos();
    boolean isBehind = true;
    while (isBehind && !up.join(LINGERING)) {
      isBehind =
          System.nanoTime() < end
              && PeerProcess.OF_THIS_MACHINE.isBehind(
                  client.getLocalSocketAddress(), client.getRemoteSocketAddress());
    }
  }

  /// Ends the relay when the client is gone while the backend does not read: then no thread reads
  /// from the client, so nobody would notice.
  private void watch(Thread up, BackendAnswer backend, RelaySession session) {
    EndPoint client = getEndPoint();
    try {
      long before = 0;
      while (!up.join(LOOK)) {
        long now = sending;
        boolean isStuck = now != 0 && now == before;
        before = now;
        if (isStuck) {
          session.stillWaiting();
        }
        if (isStuck
            && PeerProcess.OF_THIS_MACHINE.hasLeft(
                client.getLocalSocketAddress(), client.getRemoteSocketAddress())) {
          log.debug("client is gone, the backend did not take its bytes");
          backend.abort();
        }
      }
    } catch (IOException e) {
      log.debug("stream not ended reason={}", e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void backendToClient(BackendAnswer backend, RelaySession session) {
    byte[] bytes = new byte[BUFFER];
    try {
      int n = backend.fromBackend().read(bytes);
      while (n >= 0 && session.fromBackend(ByteBuffer.wrap(bytes, 0, n))) {
        n = backend.fromBackend().read(bytes);
      }
    } catch (IOException e) {
      log.debug("stream ended towards the client reason={}", e.getMessage());
    }
    try {
      session.end();
    } catch (IOException e) {
      log.debug("client left first reason={}", e.getMessage());
    }
  }

  /// Forwards the client's bytes, and closes the backend when the client is gone. A backend that
  /// accepts no more may still send, so the client's later bytes are read and dropped.
  private void clientToBackend(BackendAnswer backend, RelaySession session) {
    ByteBuffer buffer = BufferUtil.allocate(BUFFER);
    try (backend) {
      long times = 1;
      Taken taken = pass(early, session, times);
      while (taken != Taken.ENDED && read(buffer) >= 0) {
        taken = taken == Taken.REFUSED ? taken : pass(buffer, session, ++times);
      }
    } catch (IOException e) {
      log.debug("stream ended at the client reason={}", e.getMessage());
    }
  }

  /// The result of forwarding bytes.
  private enum Taken {
    PASSED,
    REFUSED,
    ENDED
  }

  private Taken pass(ByteBuffer bytes, RelaySession session, long time) {
    sending = time;
    try {
      return session.fromClient(bytes) ? Taken.PASSED : Taken.ENDED;
    } catch (IOException e) {
      log.debug("stream ended towards the backend reason={}", e.getMessage());
      return Taken.REFUSED;
    } finally {
      sending = 0;
    }
  }

  private int read(ByteBuffer buffer) throws IOException {
    EndPoint endPoint = getEndPoint();
    while (true) {
      BufferUtil.clear(buffer);
      int filled = endPoint.fill(buffer);
      if (filled != 0) {
        return filled;
      }
      CompletableFuture<Void> readable = new CompletableFuture<>();
      endPoint.fillInterested(completing(readable));
      await(readable);
    }
  }

  /// Writes to the client; each write returns when the kernel has the bytes.
  private final class ClientOutput extends OutputStream {
    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one});
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      CompletableFuture<Void> written = new CompletableFuture<>();
      writing.lock();
      try {
        getEndPoint().write(completing(written), ByteBuffer.wrap(bytes, offset, length));
        await(written);
      } finally {
        writing.unlock();
      }
    }
  }

  private static Callback completing(CompletableFuture<Void> future) {
    return Callback.from(
        Invocable.InvocationType.NON_BLOCKING,
        () -> future.complete(null),
        future::completeExceptionally);
  }

  private static void await(CompletableFuture<Void> future) throws IOException {
    try {
      future.get(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the client is gone", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while relaying");
    }
  }
}
