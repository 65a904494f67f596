package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.agent.pods.plan.ContainerWaiting;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.plan.WaitingCause;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.agent.runtimes.PodRequest;
import dev.berth.api.pods.ContainerView;
import dev.berth.api.pods.PodPhase;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodReadinessGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Computes the conditions of a pod; conditions of others stay unchanged.
record PodConditions(
    StatusFacts facts, String phase, List<ObjectNode> init, List<ObjectNode> main) {
  private static final String DISRUPTED = "DisruptionTarget";

  /// The condition type of a pod whose runtime service refuses to end it.
  static final String BLOCKED = "TerminationBlocked";

  /// How limits of CPU are sent to a runtime on Windows, where there are two ways.
  private static final String CONTROLS = "WindowsResources";

  private static final String BY_US = "TerminationByKubelet";

  private static final String PREEMPTED =
      "Pod was preempted by Kubelet to accommodate a critical pod.";

  private static final Set<String> OURS =
      Set.of(
          "PodReadyToStartContainers",
          "Initialized",
          "Ready",
          "ContainersReady",
          "PodScheduled",
          PodRequest.BOUND,
          CONTROLS,
          BLOCKED);

  /// The status, reason and message of a condition.
  private record Verdict(boolean status, @Nullable String reason, @Nullable String message) {
    static final Verdict TRUE = new Verdict(true, null, null);
  }

  /// Whether the agent owns a condition.
  static boolean isOurs(JsonNode condition) {
    String type = condition.path("type").asText();
    return OURS.contains(type)
        || (type.equals(DISRUPTED) && condition.path("reason").asText().equals(BY_US));
  }

  ArrayNode compute() {
    ArrayNode conditions = JsonNodeFactory.instance.arrayNode();
    conditions.add(
        condition(
            "PodReadyToStartContainers",
            new Verdict(
                facts.observed().newestSandbox().filter(ObservedSandbox::isReady).isPresent(),
                null,
                null)));
    Verdict containersReady = containersReady();
    conditions.add(condition("Initialized", initialized()));
    conditions.add(condition("Ready", ready(containersReady)));
    conditions.add(condition("ContainersReady", containersReady));
    conditions.add(condition("PodScheduled", Verdict.TRUE));
    bound(conditions);
    blocked(conditions);
    boolean isDisrupted = disrupted(conditions);
    facts
        .before()
        .path("conditions")
        .forEach(
            one -> {
              String type = one.path("type").asText();
              if (!OURS.contains(type) && !(isDisrupted && type.equals(DISRUPTED))) {
                conditions.add(one.deepCopy());
              }
            });
    return conditions;
  }

  /// DisruptionTarget is shared: other components may set it, too.
  private boolean disrupted(ArrayNode conditions) {
    StatusFacts.PodFailure podFailure = facts.podFailure();
    if (podFailure == null || !podFailure.isDisrupted()) {
      return false;
    }
    String message =
        podFailure.cause() == FailureReason.PREEMPTED ? PREEMPTED : podFailure.message();
    conditions.add(condition(DISRUPTED, new Verdict(true, BY_US, message)));
    return true;
  }

  private void blocked(ArrayNode conditions) {
    ContainerWaiting containerWaiting = facts.waiting().get(PodPart.SANDBOX);
    if (containerWaiting != null && containerWaiting.cause() == WaitingCause.END_BLOCKED) {
      conditions.add(
          condition(
              BLOCKED, new Verdict(true, containerWaiting.reason(), containerWaiting.message())));
    } else if (find(BLOCKED) != null) {
      conditions.add(condition(BLOCKED, new Verdict(false, null, null)));
    }
  }

  private void bound(ArrayNode conditions) {
    StatusFacts.Where where = facts.where();
    if (where.service().isEmpty()) {
      String gone = goneService();
      if (gone != null) {
        conditions.add(
            condition(
                PodRequest.BOUND, new Verdict(false, FailureReason.SERVICE_GONE.toString(), gone)));
      } else if (!where.obstacle().isEmpty()) {
        conditions.add(
            condition(PodRequest.BOUND, new Verdict(false, "Waiting", where.obstacle())));
      }
      return;
    }
    String handler =
        where.handler().isEmpty()
            ? "its default handler"
            : "handler \"%s\"".formatted(where.handler());
    conditions.add(
        condition(
            PodRequest.BOUND,
            new Verdict(
                true, "Bound", "runtime service \"%s\", %s".formatted(where.service(), handler))));
    if (!where.controls().isEmpty()) {
      conditions.add(condition(CONTROLS, new Verdict(true, "Converted", where.controls())));
    }
  }

  /// The message for a removed runtime service; null while the service exists. After a restart of
  /// the agent only the status has it.
  private @Nullable String goneService() {
    PodFailure podFailure = facts.podFailure();
    if (podFailure != null) {
      return podFailure.cause() == FailureReason.SERVICE_GONE ? podFailure.message() : null;
    }
    JsonNode before = find(PodRequest.BOUND);
    return before != null
            && before.path("reason").asText().equals(FailureReason.SERVICE_GONE.toString())
        ? before.path("message").asText()
        : null;
  }

  /// Once a main container has started, initialization is over, although the init containers of an
  /// earlier sandbox may be gone.
  private Verdict initialized() {
    if (phase.equals(PodPhase.SUCCEEDED)) {
      return new Verdict(true, "PodCompleted", null);
    }
    List<String> incomplete = new ArrayList<>();
    List<Container> containers = facts.pod().getSpec().getInitContainers();
    boolean mainStarted = main.stream().anyMatch(one -> one.has("containerID"));
    for (int i = 0; i < init.size(); i++) {
      boolean complete =
          ContainerView.isSidecar(containers.get(i))
              ? init.get(i).path("started").asBoolean()
              : init.get(i).path("state").path("terminated").path("exitCode").asInt(-1) == 0;
      if (!complete && !mainStarted) {
        incomplete.add(containers.get(i).getName());
      }
    }
    return incomplete.isEmpty()
        ? Verdict.TRUE
        : new Verdict(
            false,
            "ContainersNotInitialized",
            "containers with incomplete status: " + go(incomplete));
  }

  /// Sidecars count as main containers do (KEP-753), other init containers never.
  private Verdict containersReady() {
    if (phase.equals(PodPhase.SUCCEEDED)) {
      return new Verdict(false, "PodCompleted", null);
    }
    if (phase.equals(PodPhase.FAILED)) {
      return new Verdict(false, "PodFailed", null);
    }
    List<String> unready = new ArrayList<>();
    List<Container> containers = facts.pod().getSpec().getInitContainers();
    for (int i = 0; i < init.size(); i++) {
      if (ContainerView.isSidecar(containers.get(i))) {
        addUnready(init.get(i), unready);
      }
    }
    main.forEach(one -> addUnready(one, unready));
    return unready.isEmpty()
        ? Verdict.TRUE
        : new Verdict(
            false, "ContainersNotReady", "containers with unready status: " + go(unready));
  }

  private static void addUnready(JsonNode status, List<String> unready) {
    if (!status.path("ready").asBoolean()) {
      unready.add(status.path("name").asText());
    }
  }

  private Verdict ready(Verdict containersReady) {
    if (!containersReady.status()) {
      return containersReady;
    }
    List<String> missing = new ArrayList<>();
    for (PodReadinessGate gate : facts.pod().getSpec().getReadinessGates()) {
      JsonNode condition = find(gate.getConditionType());
      if (condition == null) {
        missing.add(
            "corresponding condition of pod readiness gate \"%s\" does not exist."
                .formatted(gate.getConditionType()));
      } else if (!condition.path("status").asText().equals("True")) {
        missing.add(
            "the status of pod readiness gate \"%s\" is not \"True\", but %s"
                .formatted(gate.getConditionType(), condition.path("status").asText()));
      }
    }
    return missing.isEmpty()
        ? Verdict.TRUE
        : new Verdict(false, "ReadinessGatesNotReady", String.join(", ", missing));
  }

  /// `lastTransitionTime` changes only with the status.
  private ObjectNode condition(String type, Verdict verdict) {
    String status = verdict.status() ? "True" : "False";
    JsonNode before = find(type);
    String since =
        before != null && before.path("status").asText().equals(status)
            ? before.path("lastTransitionTime").asText()
            : StatusRules.time(facts.now());
    ObjectNode condition = JsonNodeFactory.instance.objectNode();
    condition.putNull("lastProbeTime");
    condition.put("lastTransitionTime", since);
    if (verdict.message() != null) {
      condition.put("message", verdict.message());
    }
    if (verdict.reason() != null) {
      condition.put("reason", verdict.reason());
    }
    condition.put("status", status);
    condition.put("type", type);
    return condition;
  }

  private @Nullable JsonNode find(String type) {
    for (JsonNode condition : facts.before().path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return null;
  }

  /// A list in Go's print format, as upstream's messages have it.
  private static String go(List<String> names) {
    return "[" + String.join(" ", names) + "]";
  }
}
