package dev.berth.controllers.loops;

import dev.berth.client.ReconcileLoop;
import dev.berth.client.WorkQueue;

/// A running controller loop; closing it also closes the caches that belong to it alone. Caches
/// that others share stay open.
public interface ControllerLoop extends AutoCloseable {
  ReconcileLoop<?> workers();

  /// The name in metrics and logs.
  default String name() {
    return workers().name();
  }

  default WorkQueue.Stats stats() {
    return workers().stats();
  }

  @Override
  default void close() {
    workers().close();
  }
}
