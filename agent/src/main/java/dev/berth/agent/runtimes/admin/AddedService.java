package dev.berth.agent.runtimes.admin;

import dev.berth.agent.runtimes.RuntimeService;
import dev.berth.agent.runtimes.admin.AdminAnswer.Done;
import dev.berth.agent.runtimes.admin.AdminAnswer.Progress;
import dev.berth.agent.runtimes.admin.AdminAnswer.Refused;
import dev.berth.agent.runtimes.health.ServiceHealth;
import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.agent.runtimes.registry.RuntimeRegistry;
import dev.berth.api.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Reports to the administrator whether an added service answers.
record AddedService(RuntimeRegistry registry, RuntimeDeclaration service) {
  /// Pause between two looks at the health of the service while a command waits for it.
  private static final Duration LOOK = Duration.ofMillis(50);

  /// A running service answers within milliseconds, on a busy machine within seconds.
  private static final Duration FIRST_ANSWER = Duration.ofSeconds(5);

  /// Waits for the first answer, and on demand until the service is ready.
  ///
  /// @param waitSeconds 0 waits for the first answer alone
  AdminAnswer await(long waitSeconds, Consumer<Progress> progress) throws InterruptedException {
    Optional<ServiceHealth> health =
        next(FIRST_ANSWER, now -> !(now instanceof ServiceHealth.Connecting));
    if (waitSeconds > 0 && !isReady(health)) {
      progress.accept(
          new Progress(
              "%s, and is not ready: %s. Waiting for up to %d seconds"
                  .formatted(added(), why(health), waitSeconds)));
      health = next(Duration.ofSeconds(waitSeconds), ServiceHealth::isReady);
      if (!isReady(health)) {
        return new Refused(
            List.of(
                new Problem(
                    "runtime service \"%s\" is added and is not ready".formatted(service.name()),
                    "%s, after %d seconds".formatted(why(health), waitSeconds),
                    "It is used as soon as it is ready; take it back with `berth runtimes remove %s`"
                        .formatted(service.name()))));
      }
    }
    return new Done(text(health));
  }

  private Optional<ServiceHealth> next(Duration limit, Predicate<ServiceHealth> enough)
      throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    Optional<ServiceHealth> health = health();
    while (health.isPresent() && !enough.test(health.get()) && System.nanoTime() < end) {
      Thread.sleep(LOOK);
      health = health();
    }
    return health;
  }

  private Optional<ServiceHealth> health() {
    return registry.snapshot().find(service.name()).map(RuntimeService::health);
  }

  private static boolean isReady(Optional<ServiceHealth> health) {
    return health.filter(ServiceHealth::isReady).isPresent();
  }

  private String text(Optional<ServiceHealth> health) {
    return isReady(health)
        ? added() + " and ready"
        : "%s, and is not ready: %s. It is used as soon as it is; wait for that with --wait, see `berth runtimes list`"
            .formatted(added(), why(health));
  }

  private String added() {
    return "runtime service \"%s\" is added".formatted(service.name());
  }

  private String why(Optional<ServiceHealth> health) {
    return switch (health.orElse(null)) {
      case ServiceHealth.NotReady(_, var reason, var answers, _) ->
          answers
              ? reason.why()
              : "%s does not answer: %s".formatted(service.endpoint(), reason.why());
      case ServiceHealth.Draining _ -> "it is being drained";
      case ServiceHealth.Connecting _ -> service.endpoint() + " has not answered yet";
      case ServiceHealth.Ready _ -> "";
      case ServiceHealth.Gone _ -> "it was removed";
      case null -> "it was removed";
    };
  }
}
