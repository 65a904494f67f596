package dev.berth.cri.streaming;

import dev.berth.cri.CriTransport;
import dev.berth.cri.http.HttpExchange;
import dev.berth.cri.http.HttpListener;
import dev.berth.cri.http.SpdyConnection;
import dev.berth.cri.http.WebSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Serves prepared streams at unguessable URLs, each once and for a limited time. All services of a
/// process share the server, which starts to listen with the first stream.
///
/// The token in the URL is the only protection, as with containerd's streaming server; so the
/// server listens on the loopback interface.
public final class StreamingServer implements AutoCloseable {
  /// Lifetime of a URL that no client has used, as in the streaming library that containerd uses.
  private static final Duration URL_LIFETIME = Duration.ofMinutes(1);

  private final CriTransport transport;
  private final Supplier<String> tokens;
  private final BiConsumer<Duration, Runnable> timer;
  private final Map<String, StreamSession> waiting = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private @Nullable HttpListener listener;

  /// @param tokens makes parts of a path that nobody can guess
  /// @param timer runs an action after a time
  public StreamingServer(
      CriTransport transport, Supplier<String> tokens, BiConsumer<Duration, Runnable> timer) {
    this.transport = transport;
    this.tokens = tokens;
    this.timer = timer;
  }

  /// Keeps the session for a client and returns its URL.
  ///
  /// @throws UncheckedIOException when the server cannot listen
  public String prepare(String kind, StreamSession session) {
    String path = "/" + kind + "/" + tokens.get();
    waiting.put(path, session);
    timer.accept(URL_LIFETIME, () -> waiting.remove(path));
    return "http://127.0.0.1:" + port() + path;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (listener != null) {
        listener.close();
      }
    } finally {
      lock.unlock();
    }
  }

  private int port() {
    lock.lock();
    try {
      if (listener == null) {
        listener = HttpListener.onLoopback(transport, this::handle);
      }
      return listener.port();
    } catch (IOException e) {
      throw new UncheckedIOException("the streaming server cannot listen: " + e.getMessage(), e);
    } finally {
      lock.unlock();
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    StreamSession session = waiting.get(exchange.path());
    if (session == null) {
      exchange.answer(404, "text/plain", "404 page not found\n");
    } else if (WebSocket.isWanted(exchange)) {
      var socket = WebSocket.accept(exchange, session.webSocketProtocols());
      // Only one of several clients with the same URL wins the removal.
      if (waiting.remove(exchange.path(), session)) {
        socket.ifPresent(session::serve);
      }
    } else if (SpdyConnection.isWanted(exchange)) {
      var connection = SpdyConnection.accept(exchange, session.spdyProtocols());
      if (waiting.remove(exchange.path(), session)) {
        connection.ifPresent(session::serve);
      }
    } else {
      exchange.answer(400, "text/plain", "Upgrade request required\n");
    }
  }
}
