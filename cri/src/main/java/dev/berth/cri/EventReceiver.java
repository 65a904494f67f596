package dev.berth.cri;

/// Receives the messages of a stream, on the thread that reads it.
///
/// An exception of the receiver ends the stream. A receiver that is slow slows the stream, which
/// the runtime buffers or drops; it must therefore hand over long work.
@FunctionalInterface
public interface EventReceiver<E> {
  void accept(E event);

  /// The stream is open: no later event is missed. For services that do not announce this
  /// (containerd, CRI-O), it is called with the first event.
  default void opened() {}
}
