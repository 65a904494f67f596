package dev.berth.server.http.transport;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Tracks the threads that serve watches, so that a stopping server can end them at once.
///
/// Without it a stop would wait for the time limit of every watch. Streams through nodes end with
/// their connections instead.
public final class OpenStreams {
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /// Set before the threads are interrupted: a stream that registers later sees it and does not
  /// start.
  private volatile boolean closed;

  /// A registered stream.
  public interface Stream {
    void run() throws IOException, InterruptedException;
  }

  public void run(Stream stream) throws IOException, InterruptedException {
    threads.add(Thread.currentThread());
    try {
      if (!closed) {
        stream.run();
      }
    } finally {
      threads.remove(Thread.currentThread());
    }
  }

  /// Whether the server is stopping.
  public boolean isEnding() {
    return closed;
  }

  /// The interrupt makes each watch end its answer, so that clients reconnect to another server.
  public void endAll() {
    closed = true;
    threads.forEach(Thread::interrupt);
  }
}
