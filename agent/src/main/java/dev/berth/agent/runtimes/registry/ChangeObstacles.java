package dev.berth.agent.runtimes.registry;

import dev.berth.agent.runtimes.RegistrationOrigin;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.bindings.PodBindings;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.Problem;
import java.util.List;
import java.util.Optional;

/// Checks whether a change among the runtime services is allowed.
record ChangeObstacles(List<RuntimeEndpoint> present, PodBindings bindings) {
  Optional<Problem> toAdd(ServiceRegistration registration) {
    for (RuntimeEndpoint other : present) {
      if (other.name().equals(registration.name())) {
        return cannotAdd(
            registration,
            "the name belongs to runtime service %s from %s"
                .formatted(other, other.registration().origin()),
            "Choose another name, or remove the other runtime service first");
      }
    }
    return endpointTaken(registration);
  }

  Optional<Problem> toReplace(RuntimeEndpoint old, ServiceRegistration registration) {
    RuntimeDeclaration before = old.registration().declaration();
    int pods = bindings.count(old.name());
    if (before.workloadType() != registration.declaration().workloadType() && pods > 0) {
      return cannotAdd(
          registration,
          "the workload type of a runtime service cannot change while the service has %d pods"
              .formatted(pods),
          "Drain the runtime service first with `berth runtimes drain %s`".formatted(old.name()));
    }
    return endpointTaken(registration);
  }

  Problem absent(String name) {
    List<String> names = present.stream().map(RuntimeEndpoint::name).toList();
    return new Problem(
        "runtime service \"%s\" cannot be found".formatted(name),
        "no such service is registered on this node (there are: %s)"
            .formatted(names.isEmpty() ? "none" : String.join(", ", names)),
        "List the runtime services with `berth runtimes list`");
  }

  static Problem podsAreBound(String name, int pods) {
    return new Problem(
        "runtime service \"%s\" cannot be removed".formatted(name),
        "the runtime service has %d pods".formatted(pods),
        "Drain the runtime service with `berth runtimes drain %s`, or abandon its pods with --force"
            .formatted(name));
  }

  private Optional<Problem> endpointTaken(ServiceRegistration registration) {
    RuntimeDeclaration wanted = registration.declaration();
    return present.stream()
        .filter(other -> !other.name().equals(wanted.name()))
        .filter(other -> other.registration().declaration().endpoint().equals(wanted.endpoint()))
        .findFirst()
        .flatMap(
            other ->
                cannotAdd(
                    registration,
                    "the endpoint belongs to runtime service %s".formatted(other),
                    "Use a different endpoint for each runtime service, because two services with one endpoint would claim the same pods"));
  }

  private static Optional<Problem> cannotAdd(
      ServiceRegistration registration, String why, String remedy) {
    String file =
        registration.origin() instanceof RegistrationOrigin.DropIn(var path) ? " of " + path : "";
    return Optional.of(
        new Problem(
            "runtime service \"%s\"%s cannot be added".formatted(registration.name(), file),
            why,
            remedy));
  }
}
