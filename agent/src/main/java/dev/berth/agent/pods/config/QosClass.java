package dev.berth.agent.pods.config;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// How well a pod is served when the node runs short; its overhead does not count.
public enum QosClass {
  GUARANTEED("Guaranteed"),
  BURSTABLE("Burstable"),
  BEST_EFFORT("BestEffort");

  private static final List<String> COUNTED = List.of("cpu", "memory");

  private final String text;

  QosClass(String text) {
    this.text = text;
  }

  /// The class that the API server recorded, which never changes; else what the specification
  /// amounts to. Resources of the pod as a whole count instead of those of its containers
  /// (KEP-2837).
  public static QosClass of(Pod pod) {
    String recorded = pod.getStatus() == null ? null : pod.getStatus().getQosClass();
    return Arrays.stream(values())
        .filter(one -> one.text.equals(recorded))
        .findFirst()
        .orElseGet(() -> compute(pod));
  }

  private static QosClass compute(Pod pod) {
    List<ResourceRequirements> all = requirements(pod);
    if (all.stream()
        .allMatch(one -> named(one.getRequests()).isEmpty() && named(one.getLimits()).isEmpty())) {
      return BEST_EFFORT;
    }
    return all.stream().allMatch(QosClass::isGuaranteed) ? GUARANTEED : BURSTABLE;
  }

  private static List<ResourceRequirements> requirements(Pod pod) {
    if (pod.getSpec().getResources() != null) {
      return List.of(pod.getSpec().getResources());
    }
    return Stream.concat(
            pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
        .map(Container::getResources)
        .map(resources -> resources == null ? new ResourceRequirements() : resources)
        .toList();
  }

  private static boolean isGuaranteed(ResourceRequirements resources) {
    Map<String, Quantity> limits = orEmpty(resources.getLimits());
    Map<String, Quantity> requests = orEmpty(resources.getRequests());
    return COUNTED.stream()
        .allMatch(
            name ->
                Amounts.isPositive(limits.get(name))
                    && (requests.get(name) == null
                        || Amounts.equal(requests.get(name), limits.get(name))));
  }

  private static List<String> named(@org.jspecify.annotations.Nullable Map<String, Quantity> map) {
    return COUNTED.stream().filter(name -> Amounts.isPositive(orEmpty(map).get(name))).toList();
  }

  private static Map<String, Quantity> orEmpty(
      @org.jspecify.annotations.Nullable Map<String, Quantity> map) {
    return map == null ? Map.of() : map;
  }

  @Override
  public String toString() {
    return text;
  }
}
