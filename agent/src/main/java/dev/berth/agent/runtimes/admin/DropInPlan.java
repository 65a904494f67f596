package dev.berth.agent.runtimes.admin;

import dev.berth.agent.runtimes.RegistrationOrigin;
import dev.berth.agent.runtimes.RegistrationOrigin.DropIn;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.ServiceRegistration;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Computes the changes that bring the registered services in line with the files.
final class DropInPlan {
  /// One change; removals come first.
  sealed interface Step {
    /// The file was removed: the service is removed as soon as it has no pods.
    record Retire(String name) implements Step {}

    /// The file returned before the service was removed.
    record Resume(String name) implements Step {}

    record Add(ServiceRegistration registration) implements Step {}

    record Replace(ServiceRegistration registration) implements Step {}
  }

  private DropInPlan() {}

  /// Computes the steps.
  ///
  /// @param present all services, including those that are not from files
  /// @param applied what was applied from files so far, by name
  /// @param retired services whose files were removed
  static List<Step> compute(
      DropInScan scan,
      List<RuntimeService> present,
      Map<String, RuntimeDeclaration> applied,
      Set<String> retired) {
    List<Step> steps = new ArrayList<>();
    Set<String> wanted =
        scan.services().values().stream().map(RuntimeDeclaration::name).collect(Collectors.toSet());
    for (RuntimeService service : present) {
      // An unreadable file leaves its service as it is.
      if (service.origin() instanceof DropIn(var file)
          && !wanted.contains(service.name())
          && !scan.problems().containsKey(file)
          && !retired.contains(service.name())) {
        steps.add(new Step.Retire(service.name()));
      }
    }
    Map<String, RegistrationOrigin> origins =
        present.stream().collect(Collectors.toMap(RuntimeService::name, RuntimeService::origin));
    scan.services()
        .forEach(
            (file, service) -> {
              var registration = new ServiceRegistration(service, new DropIn(file));
              RegistrationOrigin origin = origins.get(service.name());
              boolean same = service.equals(applied.get(service.name()));
              if (!(origin instanceof DropIn)) {
                steps.add(new Step.Add(registration)); // Refused where the name is taken.
              } else if (!same || !origin.equals(registration.origin())) {
                steps.add(new Step.Replace(registration));
              } else if (retired.contains(service.name())) {
                steps.add(new Step.Resume(service.name()));
              }
            });
    return steps;
  }
}
