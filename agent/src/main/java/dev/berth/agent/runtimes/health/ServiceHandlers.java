package dev.berth.agent.runtimes.health;

import dev.berth.agent.runtimes.registration.ServiceHandler;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The handlers of a runtime service, and their source.
public record ServiceHandlers(Source source, List<ServiceHandler> list) {
  /// The sources of handlers, most reliable first.
  public enum Source {
    /// The runtime reports them in its status.
    REPORTED,
    /// Read from the configuration that the runtime returns.
    CONFIGURED,
    /// Declared by the administrator.
    DECLARED,
    /// Unknown: the runtime may have any handler.
    UNDISCLOSED
  }

  public static final ServiceHandlers UNDISCLOSED =
      new ServiceHandlers(Source.UNDISCLOSED, List.of());

  public ServiceHandlers {
    list = List.copyOf(list);
  }

  public boolean areKnown() {
    return source != Source.UNDISCLOSED;
  }

  /// Every service has a handler for pods that name none.
  public boolean offer(String handler) {
    return handler.isEmpty() || find(handler).isPresent();
  }

  public Optional<ServiceHandler> find(String handler) {
    return list.stream().filter(offered -> offered.name().equals(handler)).findFirst();
  }

  /// The names, for messages; the unnamed handler is left out.
  @Override
  public String toString() {
    if (!areKnown()) {
      return "not reported";
    }
    String names =
        list.stream()
            .map(ServiceHandler::name)
            .filter(name -> !name.isEmpty())
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "none with a name" : names;
  }
}
