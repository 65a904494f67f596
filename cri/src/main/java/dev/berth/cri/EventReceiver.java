package dev.berth.cri;

/// Receives the messages of a stream, on the thread that reads it.
@FunctionalInterface
public interface EventReceiver<E> {
  void accept(E event);

  /// The stream is open: no later event is missed. For services that do not announce this
  /// (containerd, CRI-O), it is called with the first event.
  default void opened() {}
}
