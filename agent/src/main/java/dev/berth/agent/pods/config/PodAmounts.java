package dev.berth.agent.pods.config;

import dev.berth.agent.pods.plan.ContainerRules;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What all containers of a pod ask for together, without the pod's overhead: the larger of what
/// the init containers need one after the other and what runs afterwards at the same time. What the
/// pod as a whole asks for (`spec.resources`, KEP-2837) counts instead.
///
/// @param cpuLimit zero when the pod and some container have none; so is `memoryLimit`
public record PodAmounts(long cpuRequest, long memoryRequest, long cpuLimit, long memoryLimit) {
  public static PodAmounts of(Pod pod) {
    return new PodAmounts(
        cpuRequest(pod),
        containersRequest(pod, "memory"),
        wholeLimit(pod, "cpu")
            .map(dev.berth.api.Quantity::milli)
            .orElseGet(() -> limit(pod, one -> Amounts.of(limits(one), "cpu").milli())),
        wholeLimit(pod, "memory")
            .map(dev.berth.api.Quantity::value)
            .orElseGet(() -> limit(pod, one -> Amounts.of(limits(one), "memory").value())));
  }

  private static long cpuRequest(Pod pod) {
    return wholeRequest(pod, "cpu")
        .map(dev.berth.api.Quantity::milli)
        .orElseGet(() -> together(pod, one -> request(one, "cpu").milli()));
  }

  private static long containersRequest(Pod pod, String resource) {
    return wholeRequest(pod, resource)
        .map(dev.berth.api.Quantity::value)
        .orElseGet(() -> together(pod, one -> request(one, resource).value()));
  }

  /// What the pod as a whole asks for; empty when its containers' requests count.
  static Optional<dev.berth.api.Quantity> wholeRequest(Pod pod, String resource) {
    ResourceRequirements whole = pod.getSpec().getResources();
    return whole == null ? Optional.empty() : positive(whole.getRequests(), resource);
  }

  private static Optional<dev.berth.api.Quantity> wholeLimit(Pod pod, String resource) {
    ResourceRequirements whole = pod.getSpec().getResources();
    return whole == null ? Optional.empty() : positive(whole.getLimits(), resource);
  }

  private static Optional<dev.berth.api.Quantity> positive(
      @Nullable Map<String, Quantity> amounts, String resource) {
    return Optional.of(Amounts.of(amounts, resource)).filter(amount -> amount.signum() > 0);
  }

  /// In thousandths of a processor.
  public static long cpuWithOverhead(Pod pod) {
    return cpuRequest(pod) + Amounts.of(pod.getSpec().getOverhead(), "cpu").milli();
  }

  /// What a pod asks for, its overhead included.
  public static long request(Pod pod, String resource) {
    return containersRequest(pod, resource) + overhead(pod, resource);
  }

  /// What the pod's runtime needs beside its containers, as its RuntimeClass says.
  public static long overhead(Pod pod, String resource) {
    return Amounts.of(pod.getSpec().getOverhead(), resource).value();
  }

  public static dev.berth.api.Quantity request(Container container, String resource) {
    return Amounts.of(requests(container), resource);
  }

  /// The limits of all containers together; empty when none has one.
  public static Optional<dev.berth.api.Quantity> limit(Pod pod, String resource) {
    Function<Container, dev.berth.api.Quantity> limit = one -> limit(one, resource);
    return Stream.concat(
            pod.getSpec().getContainers().stream(), pod.getSpec().getInitContainers().stream())
        .map(limit)
        .filter(one -> one.signum() > 0)
        .findFirst()
        .map(first -> together(pod, one -> limit.apply(one).value()))
        .map(dev.berth.api.Quantity::ofBytes);
  }

  public static dev.berth.api.Quantity limit(Container container, String resource) {
    return Amounts.of(limits(container), resource);
  }

  private static long limit(Pod pod, ToLongFunction<Container> amount) {
    boolean everyone =
        pod.getSpec().getContainers().stream().allMatch(one -> amount.applyAsLong(one) > 0)
            && pod.getSpec().getInitContainers().stream()
                .allMatch(one -> amount.applyAsLong(one) > 0);
    return everyone ? together(pod, amount) : 0;
  }

  private static long together(Pod pod, ToLongFunction<Container> amount) {
    long sidecars = 0;
    long largestInit = 0;
    for (Container container : pod.getSpec().getInitContainers()) {
      if (ContainerRules.isSidecar(container)) {
        sidecars += amount.applyAsLong(container);
        largestInit = Math.max(largestInit, sidecars);
      } else {
        largestInit = Math.max(largestInit, sidecars + amount.applyAsLong(container));
      }
    }
    long running = sidecars + pod.getSpec().getContainers().stream().mapToLong(amount).sum();
    return Math.max(running, largestInit);
  }

  private static Map<String, Quantity> requests(Container container) {
    var resources = container.getResources();
    Map<String, Quantity> map = resources == null ? null : resources.getRequests();
    return map == null ? Map.of() : map;
  }

  private static Map<String, Quantity> limits(Container container) {
    var resources = container.getResources();
    Map<String, Quantity> map = resources == null ? null : resources.getLimits();
    return map == null ? Map.of() : map;
  }
}
