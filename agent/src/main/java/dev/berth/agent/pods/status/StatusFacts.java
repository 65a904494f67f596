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

/// The input of a pod's status.
///
/// @param before the status that was written last, or an empty object
/// @param waiting why parts of the pod wait
/// @param verdicts results of probes, by container id
/// @param messages termination messages, by container id
/// @param podFailure why the pod as a whole failed; null when it did not
/// @param isStopping whether no container starts any more
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
  /// @param longestGrace bounds the grace period of its containers
  /// @param isDisrupted whether the pod ended for the sake of others, which a condition says
  public record PodFailure(
      FailureReason cause, String message, @Nullable Duration longestGrace, boolean isDisrupted) {
    private static final String REJECTED = "Pod was rejected: ";

    /// The kubelet's grace period of a hard eviction: with zero seconds nothing could end in order.
    private static final Duration LEAST = Duration.ofSeconds(1);

    public PodFailure(FailureReason cause, String message) {
      this(cause, message, null, false);
    }

    /// The value of `status.reason`.
    public String reason() {
      return cause.toString();
    }

    /// The failure of a pod that the node does not admit.
    public static PodFailure rejected(FailureReason cause, String why) {
      return new PodFailure(cause, REJECTED + why);
    }

    /// The message for the event, without the prefix that the event's reason already says.
    public String event() {
      return message.startsWith(REJECTED) ? message.substring(REJECTED.length()) : message;
    }

    /// The failure of a pod whose runtime service was removed from the node.
    public static PodFailure serviceGone(String message) {
      return new PodFailure(FailureReason.SERVICE_GONE, message);
    }

    /// The failure of a pod that exceeded its own limits.
    public static PodFailure evicted(String message) {
      return new PodFailure(FailureReason.EVICTED, message, LEAST, false);
    }

    /// The failure of a pod that a critical pod preempted.
    public static PodFailure preempted() {
      return new PodFailure(
          FailureReason.PREEMPTED, "Preempted in order to admit critical pod", null, true);
    }

    /// The failure of a pod that was evicted because the node is short of a resource.
    ///
    /// @param grace raised to at least one second
    public static PodFailure disrupted(String message, Duration grace) {
      return new PodFailure(
          FailureReason.EVICTED, message, grace.compareTo(LEAST) < 0 ? LEAST : grace, true);
    }
  }

  /// The resources that are allocated to a pod.
  ///
  /// @param pod the pod with its allocated resources
  /// @param refusal why they differ from the specification: `Deferred`, `Infeasible`, or empty
  /// @param resized resources given after creation, by container id
  public record Allotted(Pod pod, String refusal, Map<String, String> resized) {
    public Allotted {
      resized = Map.copyOf(resized);
    }

    /// The allocation that equals the specification.
    public static Allotted asSpecified(Pod pod) {
      return new Allotted(pod, "", Map.of());
    }
  }

  /// Where a pod runs.
  ///
  /// @param nodeAddresses the main address first
  /// @param service the runtime service; empty while there is none
  /// @param runtimeName the prefix of container ids, such as `containerd`
  /// @param recursion whether its handler can make mounts below a mount read-only
  /// @param controls how limits of CPU are sent to the service, where there are several ways
  /// @param obstacle why the pod has waited long for a service; empty when it has not
  public record Where(
      List<String> nodeAddresses,
      String service,
      String handler,
      String runtimeName,
      boolean recursion,
      String controls,
      String obstacle) {
    public Where {
      nodeAddresses = List.copyOf(nodeAddresses);
    }

    /// A pod that no runtime service has.
    public static Where nowhere(List<String> nodeAddresses, String obstacle) {
      return new Where(nodeAddresses, "", "", "", false, "", obstacle);
    }
  }
}
