package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.observed.ObservedContainer;
import dev.berth.agent.pods.plan.ContainerWaiting;
import dev.berth.agent.pods.plan.PodPart;
import dev.berth.agent.pods.plan.RestartCounts;
import dev.berth.agent.probes.ProbeWorkers.Verdict;
import dev.berth.api.TruncatedText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Builds the status of each container of a pod.
final class ContainerStatuses {
  /// The kubelet's limit for the messages of all containers of a pod together: the status must fit
  /// into an object.
  private static final int LONGEST_OF_ALL = 12 * 1024;

  private final StatusFacts facts;

  ContainerStatuses(StatusFacts facts) {
    this.facts = facts;
  }

  /// @param before the last statuses of containers of this type
  ObjectNode of(String name, String image, JsonNode before) {
    List<ObservedContainer> instances = facts.observed().instances(name);
    ObjectNode last = find(before, name);
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("name", name);
    // A container that is created but not started does not exist yet, as users see it.
    ObservedContainer newest =
        instances.stream().filter(ObservedContainer::hasBegun).findFirst().orElse(null);
    ObservedContainer shown = isWaiting(name, newest) ? null : newest;
    ObservedContainer previous = previous(instances, shown);
    if (newest == null && last != null && (facts.isStopping() || hasRun(last))) {
      return lost(last);
    }
    status.set("state", shown == null ? waiting(name) : state(shown));
    status.set("lastState", lastState(shown, previous, last));
    boolean running = shown != null && shown.isRunning();
    Verdict verdict =
        shown == null
            ? Verdict.UNPROBED
            : facts.verdicts().getOrDefault(shown.id(), Verdict.UNPROBED);
    status.put("ready", running && verdict.ready());
    addInstance(status, newest, image, last);
    status.put("started", running && verdict.started());
    return status;
  }

  /// A removed container keeps its last status until its successor exists, which continues its
  /// count.
  private void addInstance(
      ObjectNode status,
      @Nullable ObservedContainer newest,
      String image,
      @Nullable ObjectNode last) {
    if (newest != null) {
      status.put("restartCount", newest.attempt());
      // containerd names an image that it has under a digest alone by its id.
      boolean isNamed = !newest.image().isEmpty() && !newest.image().startsWith("sha256:");
      status.put("image", isNamed ? newest.image() : image);
      status.put("imageID", newest.imageId());
      status.put("containerID", id(newest));
    } else if (last != null && last.has("containerID")) {
      for (String field : List.of("restartCount", "image", "imageID", "containerID")) {
        status.set(field, last.path(field));
      }
    } else {
      status.put("restartCount", 0).put("image", image).put("imageID", "");
    }
  }

  /// A container that waits for its restart is shown as waiting. Without a restart by its policy it
  /// stays terminated: the API server accepts no way back from that.
  private boolean isWaiting(String name, @Nullable ObservedContainer newest) {
    if (newest == null) {
      return true;
    }
    return switch (newest.state()) {
      case CREATED, CANCELLED -> true;
      case EXITED ->
          !facts.isStopping()
              && (facts.waiting().containsKey(PodPart.container(name)) || hasSuccessor(newest));
      case RUNNING ->
          ContainerWaiting.STARTING.equals(facts.waiting().get(PodPart.container(name)));
      case UNKNOWN -> false;
    };
  }

  private boolean hasSuccessor(ObservedContainer ended) {
    RestartCounts restartCounts = RestartCounts.after(facts.before());
    return facts.pod().getSpec().getContainers().stream()
        .anyMatch(
            container ->
                container.getName().equals(ended.name())
                    && restartCounts.includes(container, ended));
  }

  /// `PodInitializing` makes kubectl show `Init:0/2`, for init containers, too.
  private ObjectNode waiting(String name) {
    ContainerWaiting containerWaiting = facts.waiting().get(PodPart.container(name));
    ObjectNode state = JsonNodeFactory.instance.objectNode();
    ObjectNode waiting = state.putObject("waiting");
    if (containerWaiting != null && !containerWaiting.equals(ContainerWaiting.STARTING)) {
      if (!containerWaiting.message().isEmpty()) {
        waiting.put("message", containerWaiting.message());
      }
      waiting.put("reason", containerWaiting.reason());
    } else {
      boolean hasInit = !facts.pod().getSpec().getInitContainers().isEmpty();
      waiting.put("reason", hasInit ? "PodInitializing" : "ContainerCreating");
    }
    return state;
  }

  private ObjectNode state(ObservedContainer container) {
    ObjectNode state = JsonNodeFactory.instance.objectNode();
    switch (container.state()) {
      case EXITED -> state.set("terminated", terminated(container));
      case RUNNING, UNKNOWN ->
          state
              .putObject("running")
              .put("startedAt", time(container.startedAt(), container.createdAt()));
      case CREATED, CANCELLED -> state.putObject("waiting").put("reason", "ContainerCreating");
    }
    return state;
  }

  private ObjectNode terminated(ObservedContainer container) {
    ObjectNode terminated = JsonNodeFactory.instance.objectNode();
    terminated.put("containerID", id(container));
    terminated.put("exitCode", container.exitCode());
    terminated.put("finishedAt", time(container.finishedAt(), container.createdAt()));
    String message = facts.messages().getOrDefault(container.id(), container.message());
    if (!message.isEmpty()) {
      terminated.put("message", shortened(message));
    }
    String reason = container.reason();
    terminated.put(
        "reason", reason.isEmpty() ? container.exitCode() == 0 ? "Completed" : "Error" : reason);
    terminated.put("startedAt", time(container.startedAt(), container.createdAt()));
    return terminated;
  }

  /// All messages together are bounded, so that the pod does not become too large to store.
  private String shortened(String message) {
    var spec = facts.pod().getSpec();
    int containers =
        spec.getContainers().size()
            + spec.getInitContainers().size()
            + spec.getEphemeralContainers().size();
    int most = Math.min(TruncatedText.MESSAGE, LONGEST_OF_ALL / Math.max(1, containers));
    return TruncatedText.cut(message, most);
  }

  private static @Nullable ObservedContainer previous(
      List<ObservedContainer> instances, @Nullable ObservedContainer shown) {
    return instances.stream()
        .filter(one -> !one.equals(shown) && one.hasExited())
        .findFirst()
        .orElse(null);
  }

  /// The end of a container that was shown as waiting is its current state now, not its last one.
  private ObjectNode lastState(
      @Nullable ObservedContainer shown,
      @Nullable ObservedContainer previous,
      @Nullable ObjectNode last) {
    ObjectNode state = JsonNodeFactory.instance.objectNode();
    if (previous != null) {
      state.set("terminated", terminated(previous));
    } else if (shown == null && last != null && last.path("state").has("running")) {
      state.set("terminated", endOf(last));
    } else if (last != null && last.path("lastState") instanceof ObjectNode kept) {
      String of = kept.path("terminated").path("containerID").asText();
      return shown != null && of.equals(id(shown)) ? state : kept.deepCopy();
    }
    return state;
  }

  private static boolean hasRun(ObjectNode last) {
    return last.path("state").has("terminated");
  }

  /// A container that vanished: terminated, with what its last status says.
  private ObjectNode lost(ObjectNode last) {
    ObjectNode status = last.deepCopy();
    status.put("ready", false).put("started", false);
    if (last.path("state").has("running")) {
      status.putObject("state").set("terminated", endOf(last));
    }
    return status;
  }

  /// The terminated state of a container that ran and whose exit is unknown.
  private ObjectNode endOf(ObjectNode last) {
    ObjectNode terminated = JsonNodeFactory.instance.objectNode();
    terminated.put("containerID", last.path("containerID").asText());
    terminated.put("exitCode", NeverStarted.EXIT_CODE);
    terminated.put("finishedAt", StatusRules.time(facts.now()));
    terminated.put("message", NeverStarted.MESSAGE);
    terminated.put("reason", NeverStarted.REASON);
    terminated.put("startedAt", last.at("/state/running/startedAt").asText());
    return terminated;
  }

  private String id(ObservedContainer container) {
    return facts.where().runtimeName() + "://" + container.id();
  }

  private static @Nullable ObjectNode find(JsonNode statuses, String name) {
    for (JsonNode status : statuses) {
      if (status.path("name").asText().equals(name) && status instanceof ObjectNode found) {
        return found;
      }
    }
    return null;
  }

  private static String time(@Nullable Instant instant, Instant otherwise) {
    return StatusRules.time(instant == null ? otherwise : instant);
  }
}
