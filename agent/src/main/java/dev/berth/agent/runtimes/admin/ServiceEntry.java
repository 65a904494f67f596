package dev.berth.agent.runtimes.admin;

import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.health.RuntimeVersion;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.agent.runtimes.registration.ServiceHandler;
import java.util.List;
import java.util.Locale;

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

  private static String reason(ServiceHealth health) {
    return switch (health) {
      case ServiceHealth.NotReady(_, var problem, _, _) -> problem.why();
      case ServiceHealth.Draining(_, var otherwise) -> reason(otherwise);
      case ServiceHealth.Connecting _, ServiceHealth.Ready _, ServiceHealth.Gone _ -> "";
    };
  }
}
