package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.observed.ObservedPod;
import dev.berth.agent.pods.plan.ContainerWaiting;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.probes.ProbeWorkers.Verdict;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything from which a pod's status follows.
///
/// @param before the status that was told last, or an empty object
/// @param waiting why parts of the pod wait
/// @param verdicts what probes say, by container id
/// @param messages what containers left when they ended, by container id
/// @param podFailure why the pod as a whole failed; null when it did not
/// @param isStopping whether nothing of it is started any more
public record StatusFacts(
    Pod pod,
    JsonNode before,
    ObservedPod observed,
    Map<PodPart, ContainerWaiting> waiting,
    Map<String, Verdict> verdicts,
    Map<String, String> messages,
    @Nullable PodFailure podFailure,
    boolean isStopping,
    Where where,
    Allotted allotted,
    Instant now) {
  public StatusFacts {
    waiting = Map.copyOf(waiting);
    verdicts = Map.copyOf(verdicts);
    messages = Map.copyOf(messages);
  }

  /// Why a pod as a whole failed.
  ///
  /// @param longestGrace what its containers get at most to end
  /// @param isDisrupted whether it had to go for the sake of others, which a condition says
  public record PodFailure(
      FailureReason cause, String message, @Nullable Duration longestGrace, boolean isDisrupted) {
    private static final String REJECTED = "Pod was rejected: ";
    private static final Duration LEAST = Duration.ofSeconds(1);

    public PodFailure(FailureReason cause, String message) {
      this(cause, message, null, false);
    }

    /// As `status.reason` has it.
    public String reason() {
      return cause.toString();
    }

    /// Of a pod that the node does not take.
    public static PodFailure rejected(FailureReason cause, String why) {
      return new PodFailure(cause, REJECTED + why);
    }

    /// As an event has it, which says of itself that the pod was rejected.
    public String event() {
      return message.startsWith(REJECTED) ? message.substring(REJECTED.length()) : message;
    }

    /// Of a pod whose runtime service the node has no more, which a condition says, too.
    public static PodFailure serviceGone(String message) {
      return new PodFailure(FailureReason.SERVICE_GONE, message);
    }

    /// Of a pod that took more than it may.
    public static PodFailure evicted(String message) {
      return new PodFailure(FailureReason.EVICTED, message, LEAST, false);
    }

    /// Of a pod that had to make room for one that the node cannot do without.
    public static PodFailure preempted() {
      return new PodFailure(
          FailureReason.PREEMPTED, "Preempted in order to admit critical pod", null, true);
    }

    /// Of a pod that had to make room.
    ///
    /// @param grace at least a second is given
    public static PodFailure disrupted(String message, Duration grace) {
      return new PodFailure(
          FailureReason.EVICTED, message, grace.compareTo(LEAST) < 0 ? LEAST : grace, true);
    }
  }

  /// What the pod's containers get.
  ///
  /// @param pod with the resources that they are to have
  /// @param refusal why not those of its specification: `Deferred`, `Infeasible`, or nothing
  /// @param resized what containers got after they were made, by their ids
  public record Allotted(Pod pod, String refusal, Map<String, String> resized) {
    public Allotted {
      resized = Map.copyOf(resized);
    }

    /// What the specification says.
    public static Allotted asSpecified(Pod pod) {
      return new Allotted(pod, "", Map.of());
    }
  }

  /// Where a pod is.
  ///
  /// @param nodeAddresses the main one first
  /// @param service the runtime service; empty while it has none
  /// @param runtimeName what containers' ids begin with, such as `containerd`
  /// @param recursion whether its handler can make all that is mounted below a mount read-only
  /// @param obstacle why it has waited for a service for long; empty when it has not
  public record Where(
      List<String> nodeAddresses,
      String service,
      String handler,
      String runtimeName,
      boolean recursion,
      String obstacle) {
    public Where {
      nodeAddresses = List.copyOf(nodeAddresses);
    }

    /// Of a pod that no runtime service has.
    public static Where nowhere(List<String> nodeAddresses, String obstacle) {
      return new Where(nodeAddresses, "", "", "", false, obstacle);
    }
  }
}
