package dev.berth.agent.pods.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.admission.ServiceResolver.Resolved.Later;
import dev.berth.agent.runtimes.PodRequest;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A pod's wait for its runtime service. Confined to the worker's thread.
public final class ServiceWait {
  /// Shorter waits are not reported: most pods wait only a moment.
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private @Nullable Instant since;

  /// The message for the pod's status; empty for none. A pod that was started before keeps the
  /// status that was written then.
  public String words(Later later, JsonNode lastStatus, Instant now) {
    Instant begun = since == null ? now : since;
    since = begun;
    boolean isLong = later.isStrange() || !now.isBefore(begun.plus(PATIENCE));
    boolean isNew = lastStatus.findValue("containerID") == null && !isBound(lastStatus);
    return isLong && isNew ? later.problem().toString() : "";
  }

  private static boolean isBound(JsonNode lastStatus) {
    for (JsonNode condition : lastStatus.path("conditions")) {
      if (condition.path("type").asText().equals(PodRequest.BOUND)) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  /// An obstacle that only an administrator can remove is checked at the interval it asks for: each
  /// check may call the API server.
  static Instant lookAgain(Later later, Instant now) {
    boolean isShort = later.isStrange() || later.after().compareTo(PATIENCE) < 0;
    return now.plus(isShort ? later.after() : PATIENCE);
  }
}
