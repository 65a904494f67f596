package dev.berth.agent.runtimes.admin;

import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import dev.berth.cri.CriEndpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A runtime service as administrators see it.
///
/// @param handlersFrom the source of the handlers: reported, configured, declared, undisclosed
/// @param version for example `containerd://1.6.20`; empty until the first answer
/// @param reason why it is not ready; otherwise empty
/// @param since the time of the last change of its health
/// @param origin its file, or `configuration`
public record ServiceEntry(
    String name,
    String workloadType,
    boolean isDefault,
    String health,
    String reason,
    String since,
    int pods,
    String version,
    String apiVersion,
    List<String> handlers,
    String handlersFrom,
    String endpoint,
    String imageEndpoint,
    String origin) {
  public ServiceEntry {
    handlers = List.copyOf(handlers);
  }

  static ServiceEntry of(RuntimeService service, int pods) {
    return new ServiceEntry(
        service.name(),
        service.workloadType().toString(),
        service.isDefault(),
        service.health().word(),
        reason(service.health()),
        service.health().since().toString(),
        pods,
        service.version().map(RuntimeVersion::toString).orElse(""),
        service.version().map(RuntimeVersion::apiVersion).orElse(""),
        service.handlers().list().stream()
            .map(ServiceHandler::name)
            .filter(name -> !name.isEmpty())
            .toList(),
        service.handlers().source().name().toLowerCase(Locale.ROOT),
        service.endpoint().toString(),
        service.imageEndpoint().toString(),
        service.origin().toString());
  }

  /// Whether the service is a containerd, as far as it has answered.
  public boolean runsContainerd() {
    return RuntimeVersion.nameIn(version).equals(RuntimeVersion.CONTAINERD);
  }

  /// The unix socket of the image service; empty for another kind of endpoint.
  public Optional<Path> imageSocket() {
    try {
      return CriEndpoint.parse(imageEndpoint) instanceof CriEndpoint.UnixSocket(var path)
          ? Optional.of(path)
          : Optional.empty();
    } catch (CriEndpoint.EndpointException _) {
      return Optional.empty(); // A simulator in the agent's process has no address.
    }
  }

  private static String reason(ServiceHealth health) {
    return switch (health) {
      case ServiceHealth.NotReady(_, var problem, _, _) -> problem.why();
      case ServiceHealth.Draining(_, var otherwise) -> reason(otherwise);
      case ServiceHealth.Connecting _, ServiceHealth.Ready _, ServiceHealth.Gone _ -> "";
    };
  }
}
