package dev.berth.launch.process;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Components that have been started. They are stopped in the opposite order; a failure to stop one
/// does not keep the others from being stopped. Used by one thread at a time.
public final class Closeables implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Closeables.class);

  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  public <T extends AutoCloseable> T add(T part) {
    started.push(part);
    return part;
  }

  @Override
  public void close() {
    while (!started.isEmpty()) {
      AutoCloseable part = started.pop();
      try {
        part.close();
      } catch (Exception e) {
        log.warn("component failed to stop component={}", part.getClass().getSimpleName(), e);
      }
    }
  }
}
