package dev.berth.cri;

/// Receives what a service tells, on the thread that follows it.
@FunctionalInterface
public interface EventReceiver<E> {
  void accept(E event);

  /// From here on nothing is missed. Services that do not say so (containerd, CRI-O) are taken to
  /// be there with their first event.
  default void opened() {}
}
