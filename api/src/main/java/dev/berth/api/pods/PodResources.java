package dev.berth.api.pods;

import dev.berth.api.Quantity;
import dev.berth.api.ResourceAmounts;
import java.util.function.Function;
import java.util.stream.Stream;

/// The total requests and limits of a pod.
///
/// Sidecars run beside the containers that start after them; other init containers run alone, so
/// that the largest one counts (KEP-753). Pod-level amounts replace the sums (KEP-2837). A virtual
/// machine counts as a container.
public final class PodResources {
  private PodResources() {}

  /// The requests of the containers, without pod-level resources.
  public static ResourceAmounts containerRequests(PodView pod) {
    return total(pod, ContainerView::requests);
  }

  /// Requests without the overhead of the runtime class.
  public static ResourceAmounts requests(PodView pod) {
    return containerRequests(pod).with(podLevel(pod.podRequests()));
  }

  /// Requests and the overhead of the runtime class.
  public static ResourceAmounts requestsWithOverhead(PodView pod) {
    return requests(pod).plus(pod.overhead());
  }

  /// The requests with overhead, and with a default for containers without requests: scores must
  /// not treat them as free.
  public static ResourceAmounts assumedRequests(PodView pod, ResourceAmounts defaults) {
    return total(pod, container -> defaults.with(container.requests()))
        .with(podLevel(pod.podRequests()))
        .plus(pod.overhead());
  }

  /// The sum of the existing limits, without the overhead of the runtime class.
  public static ResourceAmounts limits(PodView pod) {
    return total(pod, ContainerView::limits).with(podLevel(pod.podLimits()));
  }

  /// Limits and the overhead of the runtime class, for limited resources only.
  public static ResourceAmounts limitsWithOverhead(PodView pod) {
    ResourceAmounts limits = limits(pod);
    return limits.plus(pod.overhead().only(name -> limits.get(name) != null));
  }

  /// The limit of all containers together. It exists only at pod level or when every container has
  /// a limit; zero otherwise.
  public static Quantity commonLimit(PodView pod, String resource) {
    boolean isLimited =
        podLevel(pod.podLimits()).orZero(resource).signum() > 0
            || Stream.concat(pod.containers().stream(), pod.initContainers().stream())
                .allMatch(container -> container.limits().orZero(resource).signum() > 0);
    return isLimited ? limits(pod).orZero(resource) : Quantity.ofMilli(0);
  }

  private static ResourceAmounts total(
      PodView pod, Function<ContainerView, ResourceAmounts> amounts) {
    ResourceAmounts running = ResourceAmounts.NONE;
    for (ContainerView container : pod.containers()) {
      running = running.plus(amounts.apply(container));
    }
    ResourceAmounts sidecars = ResourceAmounts.NONE;
    ResourceAmounts starting = ResourceAmounts.NONE;
    for (ContainerView container : pod.initContainers()) {
      ResourceAmounts with = sidecars.plus(amounts.apply(container));
      sidecars = container.isSidecar() ? with : sidecars;
      starting = starting.max(with);
    }
    return running.plus(sidecars).max(starting);
  }

  /// The resources that `spec.resources` of a pod may have.
  private static ResourceAmounts podLevel(ResourceAmounts amounts) {
    return amounts.only(
        name -> name.equals("cpu") || name.equals("memory") || name.startsWith("hugepages-"));
  }
}
