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

/// Decides what to change so that the services are those of the files.
final class DropInPlan {
  /// One change; those that make room come first.
  sealed interface Step {
    /// The file is gone: the service goes too, as soon as it has no pods.
    record Retire(String name) implements Step {}

    /// The file is back before the service was gone.
    record Resume(String name) implements Step {}

    record Add(ServiceRegistration registration) implements Step {}

    record Replace(ServiceRegistration registration) implements Step {}
  }

  private DropInPlan() {}

  /// The steps to take.
  ///
  /// @param present all services, also those that are not from files
  /// @param applied what was applied from files so far, by name
  /// @param retired services of files that went away
  static List<Step> compute(
      DropInScan scan,
      List<RuntimeService> present,
      Map<String, RuntimeDeclaration> applied,
      Set<String> retired) {
    List<Step> steps = new ArrayList<>();
    Set<String> wanted =
        scan.services().values().stream().map(RuntimeDeclaration::name).collect(Collectors.toSet());
    for (RuntimeService service : present) {
      // A file that cannot be read leaves its service as it is.
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
