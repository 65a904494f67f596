package dev.berth.cri.serving;

import dev.berth.cri.v1.ContainerEventResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Delivers events to all listeners, in order. Publishers hold a lock, so a listener must not
/// block. A listener that is added gets the events from then on.
public final class EventHub {
  private final List<Consumer<ContainerEventResponse>> listeners = new CopyOnWriteArrayList<>();

  public void add(Consumer<ContainerEventResponse> listener) {
    listeners.add(listener);
  }

  public void remove(Consumer<ContainerEventResponse> listener) {
    listeners.remove(listener);
  }

  /// Builds the event only if there is a listener.
  public void publish(Supplier<ContainerEventResponse> event) {
    if (!listeners.isEmpty()) {
      ContainerEventResponse made = event.get();
      listeners.forEach(listener -> listener.accept(made));
    }
  }
}
