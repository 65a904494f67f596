package dev.berth.agent.pods.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.admission.ServiceResolver.Resolved.Later;
import dev.berth.agent.runtimes.PodRequest;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A pod's wait for a runtime service. Of the worker's thread alone.
public final class ServiceWait {
  /// Most pods wait only a moment, of which nobody needs to know.
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private @Nullable Instant since;

  /// What users should know of it; empty for nothing. Of a pod that was started before nothing is
  /// known but what was told then.
  public String words(Later later, JsonNode told, Instant now) {
    Instant begun = since == null ? now : since;
    since = begun;
    boolean isLong = later.isStrange() || !now.isBefore(begun.plus(PATIENCE));
    boolean isNew = told.findValue("containerID") == null && !isBound(told);
    return isLong && isNew ? later.problem().toString() : "";
  }

  private static boolean isBound(JsonNode told) {
    for (JsonNode condition : told.path("conditions")) {
      if (condition.path("type").asText().equals(PodRequest.BOUND)) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  /// What only somebody else can change is looked at as seldom as it says: each look may ask the
  /// API server.
  static Instant lookAgain(Later later, Instant now) {
    boolean isShort = later.isStrange() || later.after().compareTo(PATIENCE) < 0;
    return now.plus(isShort ? later.after() : PATIENCE);
  }
}
