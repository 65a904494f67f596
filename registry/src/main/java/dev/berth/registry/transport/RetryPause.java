package dev.berth.registry.transport;

import java.time.Duration;

/// Waits between two attempts.
@FunctionalInterface
public interface RetryPause {
  void sleep(Duration time) throws InterruptedException;
}
