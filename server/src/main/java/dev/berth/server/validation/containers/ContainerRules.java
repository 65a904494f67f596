package dev.berth.server.validation.containers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.resources.ResourceRules;
import dev.berth.server.validation.security.SecurityRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The rules that hold for containers of every sort.
///
/// Upstream's `validateContainerCommon`, in its order.
public final class ContainerRules {
  private static final List<String> MESSAGE_POLICIES = List.of("File", "FallbackToLogsOnError");
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  // KEP-1287: the resources that a runtime can change while the container runs.
  private static final List<String> RESIZABLE = List.of("cpu", "memory");
  private static final List<String> RESIZE_POLICIES = List.of("NotRequired", "RestartContainer");

  private ContainerRules() {}

  static void validate(JsonNode container, PodScope pod, FieldPath path, FieldErrors errors) {
    String name = PodFields.text(container, "name");
    if (name.isEmpty()) {
      errors.required(path.child("name"), "");
    } else {
      errors.invalid(path.child("name"), name, NameRules.dns1123Label(name));
    }
    PodFields.required(container, "image", path, errors);
    messagePolicy(PodFields.text(container, "terminationMessagePolicy"), path, errors);
    uses(container, pod, path, errors);
    pullPolicy(PodFields.text(container, "imagePullPolicy"), path.child("imagePullPolicy"), errors);
    ResourceRules.validate(
        container.path("resources"), pod.claims(), path.child("resources"), errors);
    resizePolicy(container.path("resizePolicy"), pod, path.child("resizePolicy"), errors);
    if (PodFields.has(container, "securityContext")) {
      SecurityRules.container(
          container.path("securityContext"),
          pod.hostUsers(),
          path.child("securityContext"),
          errors);
    }
  }

  private static void uses(JsonNode container, PodScope pod, FieldPath path, FieldErrors errors) {
    JsonNode ports = container.path("ports");
    if (!ports.isEmpty()) {
      ContainerPortRules.validate(ports, path.child("ports"), errors);
    }
    JsonNode env = container.path("env");
    if (!env.isEmpty()) {
      ContainerEnvRules.env(env, path.child("env"), errors);
    }
    JsonNode envFrom = container.path("envFrom");
    if (!envFrom.isEmpty()) {
      ContainerEnvRules.envFrom(envFrom, path.child("envFrom"), errors);
    }
    new ContainerMountRules(pod.volumes(), errors).validate(container, path);
  }

  private static void messagePolicy(String policy, FieldPath path, FieldErrors errors) {
    if (policy.isEmpty()) {
      errors.required(path.child("terminationMessagePolicy"), "");
    } else if (!MESSAGE_POLICIES.contains(policy)) {
      errors.notSupportedInOrder(path.child("terminationMessagePolicy"), policy, MESSAGE_POLICIES);
    }
  }

  public static void pullPolicy(String policy, FieldPath path, FieldErrors errors) {
    if (policy.isEmpty()) {
      errors.required(path, "");
    } else if (!PULL_POLICIES.contains(policy)) {
      errors.notSupportedInOrder(path, policy, PULL_POLICIES);
    }
  }

  private static void resizePolicy(
      JsonNode policies, PodScope pod, FieldPath path, FieldErrors errors) {
    Set<String> resources = new HashSet<>();
    for (int i = 0; i < policies.size(); i++) {
      String resource = PodFields.text(policies.get(i), "resourceName");
      String policy = PodFields.text(policies.get(i), "restartPolicy");
      if (!resources.add(resource)) {
        errors.duplicate(path.index(i), resource);
      }
      oneOf(resource, RESIZABLE, path, errors);
      oneOf(policy, RESIZE_POLICIES, path, errors);
      // A resize that restarts the container would end such a pod.
      if (pod.restartPolicy().equals("Never") && !policy.equals("NotRequired")) {
        errors.invalid(path, policy, "must be 'NotRequired' when `restartPolicy` is 'Never'");
      }
    }
  }

  private static void oneOf(
      String value, List<String> supported, FieldPath path, FieldErrors errors) {
    if (value.isEmpty()) {
      errors.required(path, "");
    } else if (!supported.contains(value)) {
      errors.notSupportedInOrder(path, value, supported);
    }
  }

  /// Checks the image of a pod. Templates may hold an image that something else fills in later.
  public static void imageOfPod(JsonNode container, FieldPath path, FieldErrors errors) {
    String image = PodFields.text(container, "image");
    if (!image.equals(image.strip())) {
      errors.invalid(path.child("image"), image, "must not have leading or trailing whitespace");
    }
  }
}
