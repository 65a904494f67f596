package dev.berth.server.validation.containers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.pods.PodWorkload;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.PodFields;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules of a pod's three lists of containers.
///
/// Names are unique over all lists, because logs and exec name a container without its list.
public final class ContainerListRules {
  // KEP-753: a sidecar may have them, because it runs beside the other containers.
  private static final List<String> NOT_IN_INIT =
      List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe");
  // KEP-277: nothing that would change what the pod is counted with or when it counts as ready.
  private static final List<String> NOT_IN_EPHEMERAL =
      List.of(
          "ports",
          "resources",
          "resizePolicy",
          "restartPolicy",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle");

  private final JsonNode spec;
  private final PodScope pod;
  private final FieldPath path;
  private final FieldErrors errors;

  public ContainerListRules(JsonNode spec, PodScope pod, FieldPath path, FieldErrors errors) {
    this.spec = spec;
    this.pod = pod;
    this.path = path;
    this.errors = errors;
  }

  public void validate() {
    regular(spec.path("containers"), path.child("containers"));
    JsonNode init = spec.path("initContainers");
    if (!init.isEmpty()) {
      init(init, path.child("initContainers"));
    }
    JsonNode ephemeral = spec.path("ephemeralContainers");
    if (!ephemeral.isEmpty()) {
      ephemeral(ephemeral, path.child("ephemeralContainers"));
    }
  }

  private void regular(JsonNode containers, FieldPath list) {
    if (containers.isEmpty()) {
      // Berth's addition: a pod that runs a virtual machine has no containers.
      if (PodWorkload.in(spec).isEmpty()) {
        errors.required(list, "");
      }
      return;
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < containers.size(); i++) {
      JsonNode container = containers.get(i);
      FieldPath at = list.index(i);
      ContainerRules.validate(container, pod, at, errors);
      uniqueName(container, names, at);
      ProbeRules.validate(container, pod, at, errors);
      if (PodFields.has(container, "restartPolicy")) {
        errors.forbidden(at.child("restartPolicy"), "may not be set for non-init containers");
      }
    }
    // Collected over all containers, which run at the same time and share the node's ports.
    Set<String> hostPorts = new HashSet<>();
    for (int i = 0; i < containers.size(); i++) {
      ContainerPortRules.hostPorts(containers.get(i), hostPorts, list.index(i), errors);
    }
  }

  private void uniqueName(JsonNode container, Set<String> names, FieldPath at) {
    String name = PodFields.text(container, "name");
    if (!names.add(name)) {
      errors.duplicate(at.child("name"), name);
    }
  }

  private void init(JsonNode containers, FieldPath list) {
    Set<String> names = namesOf(spec.path("containers"));
    for (int i = 0; i < containers.size(); i++) {
      JsonNode container = containers.get(i);
      FieldPath at = list.index(i);
      ContainerRules.validate(container, pod, at, errors);
      boolean sidecar = isSidecar(container, at);
      if (!PodFields.text(container, "name").isEmpty()) {
        uniqueName(container, names, at);
      }
      // They run one after the other, so each has all host ports to itself; upstream names the
      // first index here.
      ContainerPortRules.hostPorts(container, new HashSet<>(), list.index(0), errors);
      if (sidecar) {
        ProbeRules.validate(container, pod, at, errors);
      } else {
        forbid(
            container,
            NOT_IN_INIT,
            at,
            "may not be set for init containers without" + " restartPolicy=Always");
      }
      if (!container.path("resizePolicy").isEmpty()) {
        errors.invalid(
            at.child("resizePolicy"),
            container.get("resizePolicy"),
            "must not be set for init containers");
      }
    }
  }

  private boolean isSidecar(JsonNode container, FieldPath at) {
    if (!PodFields.has(container, "restartPolicy")) {
      return false;
    }
    String policy = PodFields.text(container, "restartPolicy");
    boolean always = policy.equals("Always");
    if (!always) {
      errors.notSupportedInOrder(at.child("restartPolicy"), policy, List.of("Always"));
    }
    return always;
  }

  /// An ephemeral container joins a pod that runs, so it cannot reserve resources or ports or take
  /// part in the pod's life.
  private void ephemeral(JsonNode containers, FieldPath list) {
    Set<String> others = namesOf(spec.path("containers"));
    others.addAll(namesOf(spec.path("initContainers")));
    Set<String> names = new HashSet<>(others);
    for (int i = 0; i < containers.size(); i++) {
      JsonNode container = containers.get(i);
      FieldPath at = list.index(i);
      ContainerRules.validate(container, pod, at, errors);
      ContainerRules.imageOfPod(container, at, errors);
      uniqueName(container, names, at);
      String target = PodFields.text(container, "targetContainerName");
      if (!target.isEmpty() && !others.contains(target)) {
        errors.notFound(at.child("targetContainerName"), target);
      }
      forbid(container, NOT_IN_EPHEMERAL, at, "cannot be set for an Ephemeral Container");
      JsonNode mounts = container.path("volumeMounts");
      for (int m = 0; m < mounts.size(); m++) {
        forbid(
            mounts.get(m),
            List.of("subPath", "subPathExpr"),
            at.child("volumeMounts").index(m),
            "cannot be set for an Ephemeral Container");
      }
    }
  }

  private void forbid(JsonNode container, List<String> fields, FieldPath at, String why) {
    for (String field : fields) {
      JsonNode value = container.get(field);
      boolean empty =
          value == null || value.isNull() || (value.isContainerNode() && value.isEmpty());
      // A probe or hook without content is set all the same; resources are always there.
      if (!empty || (value != null && value.isObject() && !field.equals("resources"))) {
        errors.forbidden(at.child(field), why);
      }
    }
  }

  private static Set<String> namesOf(JsonNode containers) {
    Set<String> names = new HashSet<>();
    containers.forEach(container -> names.add(PodFields.text(container, "name")));
    return names;
  }
}
