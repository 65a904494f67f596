package dev.berth.agent.pods.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.pods.observed.ObservedSandbox;
import dev.berth.api.pods.ContainerView;
import dev.berth.api.pods.PodPhase;
import dev.berth.api.pods.QosClass;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// Computes the status of a pod from what is observed of it.
public final class StatusRules {
  private final StatusFacts facts;
  private final ContainerStatuses statuses;
  private final MountStatuses mounts;

  private StatusRules(StatusFacts facts) {
    this.facts = facts;
    this.statuses = new ContainerStatuses(facts);
    this.mounts = new MountStatuses(facts.where().recursion());
  }

  public static ObjectNode compute(StatusFacts facts) {
    return StatusTexts.bound(new StatusRules(facts).compute());
  }

  private ObjectNode compute() {
    Pod pod = facts.pod();
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    List<ObjectNode> init = all(pod.getSpec().getInitContainers(), true, "initContainerStatuses");
    List<ObjectNode> main = all(pod.getSpec().getContainers(), false, "containerStatuses");
    List<ObjectNode> ephemeral = ephemeral();
    String phase = new PodPhases(facts, init, main).phase();
    status.put("phase", phase);
    addFate(status, phase);
    status.set("conditions", new PodConditions(facts, phase, init, main).compute());
    addAddresses(status);
    String started = facts.before().path("startTime").asText();
    status.put("startTime", started.isEmpty() ? time(facts.now()) : started);
    if (facts.isStopping() && PodPhase.isFinished(phase) && !facts.observed().runsAnything()) {
      NeverStarted rest = new NeverStarted(facts, init, main);
      if (rest.isAll()) {
        return status.put("qosClass", qosClass());
      }
      rest.end();
    }
    put(status, "initContainerStatuses", init);
    put(status, "containerStatuses", main);
    put(status, "ephemeralContainerStatuses", ephemeral);
    status.put("qosClass", qosClass());
    String resize = new ContainerResources(facts).addTo(main);
    if (!resize.isEmpty()) {
      status.put("resize", resize);
    }
    return status;
  }

  /// Keeps the recorded class: API servers refuse a status with another class than at the pod's
  /// creation.
  private String qosClass() {
    String recorded = facts.before().path("qosClass").asText();
    return recorded.isEmpty() ? QosClass.of(facts.pod()).toString() : recorded;
  }

  /// After a restart of the agent only the status says why the pod failed.
  private void addFate(ObjectNode status, String phase) {
    StatusFacts.PodFailure podFailure = facts.podFailure();
    JsonNode before = facts.before();
    if (podFailure != null) {
      status.put("reason", podFailure.reason()).put("message", podFailure.message());
    } else if (phase.equals(PodPhase.FAILED) && before.path("phase").asText().equals(phase)) {
      for (String field : List.of("reason", "message")) {
        if (before.has(field)) {
          status.set(field, before.get(field));
        }
      }
    }
  }

  private List<ObjectNode> all(List<Container> containers, boolean init, String field) {
    List<ObjectNode> list = new ArrayList<>();
    for (Container container : containers) {
      ObjectNode status = statuses.of(container.getName(), container.getImage(), before(field));
      mounts.addTo(status, container.getVolumeMounts());
      if (init && !ContainerView.isSidecar(container)) {
        // An init container is ready when it has succeeded.
        status.put(
            "ready", status.path("state").path("terminated").path("exitCode").asInt(-1) == 0);
      }
      list.add(status);
    }
    return list;
  }

  /// Ephemeral containers have no probes, so their statuses have neither `ready` nor `started` from
  /// one.
  private List<ObjectNode> ephemeral() {
    List<ObjectNode> list = new ArrayList<>();
    for (EphemeralContainer one : facts.pod().getSpec().getEphemeralContainers()) {
      ObjectNode status =
          statuses.of(one.getName(), one.getImage(), before("ephemeralContainerStatuses"));
      mounts.addTo(status, one.getVolumeMounts());
      status.put("ready", false).remove("started");
      list.add(status);
    }
    return list;
  }

  private JsonNode before(String field) {
    return facts.before().path(field);
  }

  private void addAddresses(ObjectNode status) {
    List<String> node = AddressFamilies.oneEach(facts.where().nodeAddresses(), "");
    if (!node.isEmpty()) {
      status.put("hostIP", node.getFirst());
      ArrayNode all = status.putArray("hostIPs");
      node.forEach(address -> all.addObject().put("ip", address));
    }
    String first = node.isEmpty() ? "" : node.getFirst();
    List<String> own = AddressFamilies.oneEach(podAddresses(), first);
    if (!own.isEmpty()) {
      status.put("podIP", own.getFirst());
      ArrayNode all = status.putArray("podIPs");
      own.forEach(address -> all.addObject().put("ip", address));
    }
  }

  /// An ended pod keeps its last address.
  private List<String> podAddresses() {
    boolean inHostNetwork = Boolean.TRUE.equals(facts.pod().getSpec().getHostNetwork());
    List<String> known = new ArrayList<>();
    facts
        .observed()
        .newestSandbox()
        .map(ObservedSandbox::addresses)
        .map(found -> inHostNetwork ? facts.where().nodeAddresses() : found)
        .ifPresent(known::addAll);
    if (known.isEmpty()) {
      facts.before().path("podIPs").forEach(one -> known.add(one.path("ip").asText()));
    }
    return known;
  }

  private static void put(ObjectNode status, String field, List<ObjectNode> list) {
    if (!list.isEmpty()) {
      status.putArray(field).addAll(list);
    }
  }

  static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
