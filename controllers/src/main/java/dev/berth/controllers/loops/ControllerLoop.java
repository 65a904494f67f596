package dev.berth.controllers.loops;

import dev.berth.client.ReconcileLoop;
import dev.berth.client.WorkQueue;

/// A running loop; who has caches of its own closes them as well.
public interface ControllerLoop extends AutoCloseable {
  ReconcileLoop<?> workers();

  /// As metrics and logs call it.
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
