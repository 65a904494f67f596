package dev.berth.agent.runtimes.health;

import dev.berth.api.Problem;
import java.time.Instant;
import java.util.Optional;

/// The health of a runtime service, and since when.
public sealed interface ServiceHealth {
  Instant since();

  /// Registered; has neither answered nor failed yet.
  record Connecting(Instant since) implements ServiceHealth {}

  /// Compute and network are ready.
  record Ready(Instant since) implements ServiceHealth {}

  /// The service takes no new pods. Present pods keep running, or are unknown when it does not
  /// answer; they are never gone because of this.
  ///
  /// @param reason the runtime's own words where it has some
  /// @param answers whether the service answers
  /// @param computeReady whether only the network is missing: pods in the host's network can run
  record NotReady(Instant since, Problem reason, boolean answers, boolean computeReady)
      implements ServiceHealth {}

  /// An administrator drains the service: no new pods, present ones keep running.
  ///
  /// @param otherwise its health apart from the drain
  record Draining(Instant since, ServiceHealth otherwise) implements ServiceHealth {}

  /// Removed, for good.
  record Gone(Instant since) implements ServiceHealth {}

  default boolean isReady() {
    return this instanceof Ready;
  }

  /// Whether a pod can start: without the network only pods in the host's network can.
  default boolean canStart(boolean hostNetwork) {
    return switch (this) {
      case Ready _ -> true;
      case NotReady notReady -> hostNetwork && notReady.computeReady();
      case Connecting _, Draining _, Gone _ -> false;
    };
  }

  /// Why a call to it would only wait; empty when a call makes sense.
  ///
  /// @param service its name
  default Optional<String> silence(String service) {
    return switch (this) {
      case Ready _ -> Optional.empty();
      case NotReady notReady ->
          notReady.answers() ? Optional.empty() : Optional.of(notReady.reason().toString());
      case Draining draining -> draining.otherwise().silence(service);
      case Connecting _ ->
          Optional.of("runtime service %s has not answered yet".formatted(service));
      case Gone _ -> Optional.of("runtime service %s is being removed".formatted(service));
    };
  }

  /// One word for lists.
  default String word() {
    return switch (this) {
      case Connecting _ -> "Connecting";
      case Ready _ -> "Ready";
      case NotReady _ -> "NotReady";
      case Draining _ -> "Draining";
      case Gone _ -> "Gone";
    };
  }
}
