package dev.berth.sim.streams;

import dev.berth.cri.CriTransport;
import dev.berth.sim.call.CallRefusal;
import dev.berth.sim.http.HttpExchange;
import dev.berth.sim.http.HttpListener;
import dev.berth.sim.http.SpdyConnection;
import dev.berth.sim.http.WebSocket;
import dev.berth.sim.model.RandomIds;
import dev.berth.sim.time.SimClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
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
  private final SimClock timeline;
  private final RandomIds ids;
  private final Map<String, StreamSession> waiting = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock.
  private @Nullable HttpListener listener;

  public StreamingServer(CriTransport transport, SimClock timeline, RandomIds ids) {
    this.transport = transport;
    this.timeline = timeline;
    this.ids = ids;
  }

  /// Keeps the session for a client and returns its URL.
  String prepare(String kind, StreamSession session) {
    String path = "/" + kind + "/" + ids.token();
    waiting.put(path, session);
    timeline.after(URL_LIFETIME, () -> waiting.remove(path));
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
      throw CallRefusal.unknown("the streaming server cannot listen: " + e.getMessage());
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
