package dev.berth.agent.runtimes.health;

import dev.berth.api.Problem;
import java.time.Instant;
import java.util.Optional;

/// How a runtime service is, and since when.
public sealed interface ServiceHealth {
  Instant since();

  /// Registered; has neither answered nor failed yet.
  record Connecting(Instant since) implements ServiceHealth {}

  /// Compute and network are ready.
  record Ready(Instant since) implements ServiceHealth {}

  /// New pods have to wait. What the service runs already goes on, or is unknown when it does not
  /// answer; it is never gone because of this.
  ///
  /// @param reason in the runtime's own words where it has some
  /// @param answers it says so itself, or has to prove that it stays; false when it is silent
  /// @param computeReady only the network is missing: pods in the host's network can run
  record NotReady(Instant since, Problem reason, boolean answers, boolean computeReady)
      implements ServiceHealth {}

  /// An administrator wants no new pods on it; the present ones go on.
  ///
  /// @param otherwise how it is apart from that
  record Draining(Instant since, ServiceHealth otherwise) implements ServiceHealth {}

  /// Removed, for good.
  record Gone(Instant since) implements ServiceHealth {}

  default boolean isReady() {
    return this instanceof Ready;
  }

  /// Whether a pod can be started: without the network that takes one in the host's network.
  default boolean canStart(boolean hostNetwork) {
    return switch (this) {
      case Ready _ -> true;
      case NotReady notReady -> hostNetwork && notReady.computeReady();
      case Connecting _, Draining _, Gone _ -> false;
    };
  }

  /// Why a question to it would only be waited for; empty when it is worth one.
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

  /// One word, as lists show it.
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
