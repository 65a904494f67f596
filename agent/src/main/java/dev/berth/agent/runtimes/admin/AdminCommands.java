package dev.berth.agent.runtimes.admin;

import dev.berth.agent.runtimes.RegistrationOrigin.Configured;
import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import dev.berth.agent.runtimes.admin.AdminAnswer.Done;
import dev.berth.agent.runtimes.admin.AdminAnswer.Progress;
import dev.berth.agent.runtimes.admin.AdminAnswer.Refused;
import dev.berth.agent.runtimes.admin.AdminAnswer.Services;
import dev.berth.agent.runtimes.registration.RegistrationException;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registration.RuntimeYaml;
import dev.berth.agent.runtimes.registry.RemovalResult;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import dev.berth.api.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Executes administrators' requests.
final class AdminCommands {
  /// The interval at which the number of remaining pods is read.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final RuntimeRegistry registry;
  private final DropInDirectory dropIns;

  AdminCommands(RuntimeRegistry registry, DropInDirectory dropIns) {
    this.registry = registry;
    this.dropIns = dropIns;
  }

  /// Executes a request and returns the last answer.
  ///
  /// @param progress receives progress messages in between
  AdminAnswer run(AdminRequest request, Consumer<Progress> progress) throws InterruptedException {
    return switch (request) {
      case AdminRequest.List() -> list();
      case AdminRequest.Images() -> ImageListing.of(registry);
      case AdminRequest.Add(var service, var waitSeconds) -> add(service, waitSeconds, progress);
      case AdminRequest.Drain(var name, var waitSeconds) -> drain(name, waitSeconds, progress);
      case AdminRequest.Resume(var name) ->
          answer(
              registry.services().resume(name),
              "runtime service \"%s\" takes pods again".formatted(name));
      case AdminRequest.Remove(var name, var force) -> remove(name, force);
    };
  }

  private AdminAnswer list() {
    RuntimeSnapshot snapshot = registry.snapshot();
    return new Services(
        snapshot.services().stream()
            .map(service -> ServiceEntry.of(service, registry.bindings().count(service.name())))
            .toList(),
        snapshot.problems());
  }

  private AdminAnswer add(String text, long waitSeconds, Consumer<Progress> progress)
      throws InterruptedException {
    try {
      RuntimeDeclaration service = RuntimeYaml.readService("runtime service", text);
      List<Problem> problems = dropIns.add(service);
      return problems.isEmpty()
          ? new AddedService(registry, service).await(waitSeconds, progress)
          : new Refused(problems);
    } catch (RegistrationException e) {
      return new Refused(e.problems());
    }
  }

  private AdminAnswer drain(String name, long waitSeconds, Consumer<Progress> progress)
      throws InterruptedException {
    Optional<Problem> obstacle = registry.services().drain(name);
    if (obstacle.isPresent()) {
      return new Refused(List.of(obstacle.get()));
    }
    Duration left = Duration.ofSeconds(waitSeconds);
    int pods = registry.bindings().count(name);
    int reported = 0;
    while (pods > 0 && left.isPositive()) {
      if (pods != reported) {
        reported = pods;
        progress.accept(new Progress("%d pods are left on \"%s\"".formatted(pods, name)));
      }
      pods = registry.bindings().awaitNone(name, LOOK);
      left = left.minus(LOOK);
    }
    if (pods == 0) {
      return new Done("runtime service \"%s\" is drained: it has no pods".formatted(name));
    }
    String state = "runtime service \"%s\" takes no new pods".formatted(name);
    return waitSeconds == 0
        ? new Done("%s; %d are left".formatted(state, pods))
        : new Refused(
            List.of(
                new Problem(
                    state + ", and is not empty yet",
                    "%d pods are left after %d seconds".formatted(pods, waitSeconds),
                    "Delete these pods, or wait longer with --timeout")));
  }

  private AdminAnswer remove(String name, boolean force) {
    Optional<RuntimeService> service = registry.snapshot().find(name);
    return switch (dropIns.remove(name, force)) {
      case RemovalResult.Refused(var problem) -> new Refused(List.of(problem));
      case RemovalResult.Removed(var letGo) -> {
        var text = new StringBuilder("runtime service \"%s\" is removed".formatted(name));
        if (!letGo.isEmpty()) {
          text.append("; %d pods were let go and may run on unseen".formatted(letGo.size()));
        }
        if (service.isPresent() && service.get().origin() instanceof Configured) {
          text.append("; it comes back with the agent unless its configuration changes");
        }
        yield new Done(text.toString());
      }
    };
  }

  private static AdminAnswer answer(Optional<Problem> obstacle, String done) {
    return obstacle.isPresent() ? new Refused(List.of(obstacle.get())) : new Done(done);
  }
}
