package dev.berth.api.pods;

import dev.berth.api.ResourceAmounts;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// The QoS class, which follows from requests and limits of CPU and memory; the pod's overhead does
/// not count.
public enum QosClass {
  GUARANTEED("Guaranteed"),
  BURSTABLE("Burstable"),
  BEST_EFFORT("BestEffort");

  private static final List<String> COUNTED = List.of("cpu", "memory");

  private final String text;

  QosClass(String text) {
    this.text = text;
  }

  /// The class that the API server recorded, which never changes; otherwise the class of the
  /// specification.
  public static QosClass of(Pod pod) {
    String recorded = pod.getStatus() == null ? null : pod.getStatus().getQosClass();
    return Arrays.stream(values())
        .filter(one -> one.text.equals(recorded))
        .findFirst()
        .orElseGet(() -> of(PodView.of(pod)));
  }

  /// The class of the specification. Pod-level resources count instead of those of the containers
  /// (KEP-2837).
  public static QosClass of(PodView pod) {
    List<ContainerView> counted =
        pod.hasPodResources()
            ? List.of(new ContainerView(false, pod.podRequests(), pod.podLimits(), List.of()))
            : Stream.concat(pod.containers().stream(), pod.initContainers().stream()).toList();
    ResourceAmounts requests = ResourceAmounts.NONE;
    ResourceAmounts limits = ResourceAmounts.NONE;
    boolean isLimited = true;
    for (ContainerView container : counted) {
      ResourceAmounts own = counted(container.limits());
      isLimited &= own.names().containsAll(COUNTED);
      // The API server defaults requests to limits; static pods have not passed it.
      requests = requests.plus(own.with(counted(container.requests())));
      limits = limits.plus(own);
    }
    if (requests.isEmpty()) {
      return BEST_EFFORT;
    }
    return isLimited && requests.equals(limits) ? GUARANTEED : BURSTABLE;
  }

  private static ResourceAmounts counted(ResourceAmounts amounts) {
    return amounts.only(COUNTED::contains).positive();
  }

  @Override
  public String toString() {
    return text;
  }
}
