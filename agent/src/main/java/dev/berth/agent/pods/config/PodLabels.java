package dev.berth.agent.pods.config;

import dev.berth.agent.pods.plan.ContainerHash;
import dev.berth.agent.pods.plan.ContainerRules;
import dev.berth.agent.runtimes.OwnSandboxes;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// Labels and annotations by which sandboxes and containers are recognized: the kubelet's, so that
/// its tools find them, and Berth's.
public final class PodLabels {
  public static final String POD_NAME = "io.kubernetes.pod.name";
  public static final String POD_NAMESPACE = "io.kubernetes.pod.namespace";
  public static final String POD_UID = "io.kubernetes.pod.uid";
  public static final String CONTAINER_NAME = "io.kubernetes.container.name";

  public static final String GRACE = "io.kubernetes.pod.terminationGracePeriod";
  public static final String MESSAGE_PATH = "io.kubernetes.container.terminationMessagePath";
  public static final String MESSAGE_POLICY = "io.kubernetes.container.terminationMessagePolicy";
  public static final String RESTARTS = "io.kubernetes.container.restartCount";

  private PodLabels() {}

  /// @param own marks sandboxes as this agent's: those of others are never cleaned up
  static Map<String, String> ofSandbox(Pod pod, OwnSandboxes own) {
    Map<String, String> labels = new LinkedHashMap<>(orEmpty(pod.getMetadata().getLabels()));
    labels.putAll(ofPod(pod.getMetadata()));
    labels.putAll(own.labels());
    return labels;
  }

  static Map<String, String> annotationsOfSandbox(Pod pod) {
    Map<String, String> annotations =
        new LinkedHashMap<>(orEmpty(pod.getMetadata().getAnnotations()));
    annotations.put(GRACE, Long.toString(ContainerRules.grace(pod).toSeconds()));
    return annotations;
  }

  static Map<String, String> ofContainer(Pod pod, String container) {
    Map<String, String> labels = ofPod(pod.getMetadata());
    labels.put(CONTAINER_NAME, container);
    return labels;
  }

  static Map<String, String> annotationsOfContainer(Pod pod, Container container, int attempt) {
    Map<String, String> annotations = new LinkedHashMap<>();
    annotations.put(ContainerHash.ANNOTATION, ContainerHash.of(container));
    annotations.put(ContainerHash.RESOURCES, ContainerHash.ofResources(container));
    annotations.put(RESTARTS, Integer.toString(attempt));
    annotations.put(
        MESSAGE_PATH,
        Objects.requireNonNullElse(container.getTerminationMessagePath(), "/dev/termination-log"));
    annotations.put(
        MESSAGE_POLICY,
        Objects.requireNonNullElse(container.getTerminationMessagePolicy(), "File"));
    annotations.put(GRACE, Long.toString(ContainerRules.grace(pod).toSeconds()));
    return annotations;
  }

  private static Map<String, String> ofPod(ObjectMeta metadata) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(POD_NAME, metadata.getName());
    labels.put(POD_NAMESPACE, metadata.getNamespace());
    labels.put(POD_UID, metadata.getUid());
    return labels;
  }

  public static Map<String, String> orEmpty(
      @org.jspecify.annotations.Nullable Map<String, String> map) {
    return map == null ? Map.of() : map;
  }
}
