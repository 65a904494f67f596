package dev.berth.controllers.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// How long a pod tolerates the `NoExecute` taints of its node; pure.
final class NoExecuteTolerance {
  private static final String NO_EXECUTE = "NoExecute";

  private NoExecuteTolerance() {}

  static boolean drivesAway(JsonNode taint) {
    return taint.path("effect").asText().equals(NO_EXECUTE);
  }

  /// The time at which the pod must be evicted; empty when it may stay.
  ///
  /// @param since when each taint was added to the node
  static Optional<Instant> end(JsonNode pod, JsonNode taints, Function<JsonNode, Instant> since) {
    Instant created = time(pod.path("metadata").path("creationTimestamp")).orElse(Instant.MIN);
    return taints
        .valueStream()
        .filter(NoExecuteTolerance::drivesAway)
        .flatMap(
            taint -> {
              Instant begin = since.apply(taint);
              // A pod that comes after the taint gets the full time of its toleration.
              return end(pod, taint, begin.isAfter(created) ? begin : created);
            })
        // Of several taints the one that is tolerated shortest decides.
        .min(Instant::compareTo);
  }

  /// The first matching toleration of a taint counts; without `tolerationSeconds` it has no end.
  private static Stream<Instant> end(JsonNode pod, JsonNode taint, Instant begin) {
    for (JsonNode toleration : pod.path("spec").path("tolerations")) {
      if (Toleration.parse(toleration).tolerates(Taint.parse(taint))) {
        JsonNode seconds = toleration.path("tolerationSeconds");
        return seconds.isNumber()
            ? Stream.of(begin.plusSeconds(Math.max(0, seconds.asLong())))
            : Stream.empty();
      }
    }
    return Stream.of(begin);
  }

  static Optional<Instant> time(JsonNode text) {
    return text.asText().isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text.asText()));
  }
}
