package dev.berth.agent.runtimes.registration;

import dev.berth.api.Problem;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriEndpoint.EndpointException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Validates declarations of runtime services from all sources; reports all mistakes together.
final class DeclarationRules {
  /// Names become parts of node labels, and follow their rules.
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  private final Map<String, String> namesSeen = new HashMap<>();
  private final Map<CriEndpoint, String> endpointsSeen = new HashMap<>();
  private final List<Problem> problems;

  /// @param problems mistakes found before, which are reported together with new ones
  DeclarationRules(List<Problem> problems) {
    this.problems = new ArrayList<>(problems);
  }

  /// Validates the services, in the order in which they were declared.
  List<RuntimeDeclaration> check(List<DeclaredService> services) throws RegistrationException {
    List<RuntimeDeclaration> declarations = new ArrayList<>();
    for (DeclaredService service : services) {
      check(service).ifPresent(declarations::add);
    }
    if (!problems.isEmpty()) {
      throw new RegistrationException(problems);
    }
    return List.copyOf(declarations);
  }

  private Optional<RuntimeDeclaration> check(DeclaredService service) {
    int before = problems.size();
    WorkloadType type = workloadType(service);
    checkName(service);
    CriEndpoint endpoint = endpoint(service.where(), service.endpoint());
    if (endpoint != null) {
      String other = endpointsSeen.putIfAbsent(endpoint, service.where());
      if (other != null) {
        add(
            service.where(),
            "endpoint %s is that of %s already".formatted(endpoint, other),
            "Give every runtime service an endpoint of its own, or else both would claim the same pods");
      }
    }
    CriEndpoint images = endpoint;
    if (service.image() != null) {
      images = endpoint(service.image().where(), service.image().endpoint());
    }
    if (type == null || endpoint == null || images == null || problems.size() > before) {
      return Optional.empty();
    }
    return Optional.of(
        new RuntimeDeclaration(service.name(), type, endpoint, images, service.handlers()));
  }

  private @Nullable WorkloadType workloadType(DeclaredService service) {
    Optional<WorkloadType> type = WorkloadType.of(service.workloadType());
    if (type.isEmpty()) {
      boolean swapped = WorkloadType.of(service.name()).isPresent();
      add(
          service.where(),
          service.workloadType().isEmpty()
              ? "the workload type is missing (known: %s)".formatted(WorkloadType.KNOWN)
              : "workload type \"%s\" is not known (known: %s)"
                  .formatted(service.workloadType(), WorkloadType.KNOWN),
          swapped
              ? "The workload type comes first, then the name: %s:%s"
                  .formatted(service.name(), service.workloadType())
              : "Choose what the runtime service runs");
    }
    return type.orElse(null);
  }

  private void checkName(DeclaredService service) {
    String name = service.name();
    if (name.isEmpty()) {
      add(service.where(), "the name is missing", "Give the runtime service a name");
      return;
    }
    if (name.equals(RuntimeDeclaration.DEFAULT) && !service.legacy()) {
      add(
          service.where(),
          "name \"default\" is reserved: it stands for the first service of a workload type",
          "Choose another name, for example that of the runtime");
      return;
    }
    if (!NAME.matcher(name).matches()) {
      add(
          service.where(),
          "name \"%s\" is not a name".formatted(name),
          "Use 1 to 63 letters, digits, '-', '_' or '.', with a letter or digit first and last");
      return;
    }
    String other = namesSeen.putIfAbsent(name, service.where());
    if (other != null) {
      add(
          service.where(),
          "name \"%s\" is that of %s already".formatted(name, other),
          "Give every runtime service a name of its own, whatever its workload type");
    }
  }

  private @Nullable CriEndpoint endpoint(String where, String text) {
    try {
      return CriEndpoint.parse(text);
    } catch (EndpointException e) {
      Problem cause = e.problem();
      add(where, "endpoint \"%s\": %s".formatted(text, cause.why()), cause.remedy());
      return null;
    }
  }

  private void add(String where, String why, String remedy) {
    problems.add(new Problem(where + " cannot be used", why, remedy));
  }
}
