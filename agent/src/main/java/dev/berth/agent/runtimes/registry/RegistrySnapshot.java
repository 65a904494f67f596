package dev.berth.agent.runtimes.registry;

import dev.berth.agent.runtimes.RegistrationOrigin;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.api.Problem;
import dev.berth.api.pods.WorkloadType;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// All services at one moment: endpoints for calls, and their description.
record RegistrySnapshot(
    List<RuntimeEndpoint> inOrder, Map<String, RuntimeEndpoint> byName, RuntimeSnapshot snapshot) {
  /// Configured services in their order, then files by name, so that the order does not depend on
  /// the time of registration.
  private static final Comparator<RuntimeEndpoint> ORDER =
      Comparator.comparing(
          endpoint ->
              switch (endpoint.registration().origin()) {
                case RegistrationOrigin.Configured() -> "";
                case RegistrationOrigin.DropIn(var file) -> file.toString();
              });

  static RegistrySnapshot of(
      long version, List<RuntimeEndpoint> endpoints, List<Problem> problems) {
    List<RuntimeEndpoint> inOrder = endpoints.stream().sorted(ORDER).toList();
    Map<WorkloadType, RuntimeEndpoint> defaults = defaults(inOrder);
    List<RuntimeService> services =
        inOrder.stream()
            .map(endpoint -> endpoint.view(defaults.get(type(endpoint)) == endpoint))
            .toList();
    return new RegistrySnapshot(
        inOrder,
        inOrder.stream()
            .collect(Collectors.toUnmodifiableMap(RuntimeEndpoint::name, Function.identity())),
        new RuntimeSnapshot(version, services, problems));
  }

  /// The defaults: the first service of each workload type that is not being drained.
  private static Map<WorkloadType, RuntimeEndpoint> defaults(List<RuntimeEndpoint> inOrder) {
    Map<WorkloadType, RuntimeEndpoint> defaults = new EnumMap<>(WorkloadType.class);
    inOrder.stream()
        .filter(endpoint -> !endpoint.isDraining())
        .forEach(endpoint -> defaults.putIfAbsent(type(endpoint), endpoint));
    inOrder.forEach(endpoint -> defaults.putIfAbsent(type(endpoint), endpoint));
    return defaults;
  }

  private static WorkloadType type(RuntimeEndpoint endpoint) {
    return endpoint.registration().declaration().workloadType();
  }
}
