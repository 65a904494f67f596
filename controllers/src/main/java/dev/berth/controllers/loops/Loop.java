package dev.berth.controllers.loops;

import dev.berth.client.WorkQueue;

/// A running loop.
public interface Loop extends AutoCloseable {
  /// As metrics and logs call it.
  String name();

  WorkQueue.Stats stats();

  @Override
  void close();
}
