package dev.berth.server.http;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The threads that serve watches now, so that a stopping server can end them at once.
final class OpenStreams {
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /// One stream.
  interface Stream {
    void run() throws IOException, InterruptedException;
  }

  void run(Stream stream) throws IOException, InterruptedException {
    threads.add(Thread.currentThread());
    try {
      if (!closed) {
        stream.run();
      }
    } finally {
      threads.remove(Thread.currentThread());
    }
  }

  /// The server is stopping.
  boolean isEnding() {
    return closed;
  }

  void endAll() {
    closed = true;
    threads.forEach(Thread::interrupt);
  }
}
