package dev.berth.agent.pods;

import dev.berth.agent.pods.config.NodeCapacity;
import dev.berth.agent.pods.config.PodAmounts;
import dev.berth.agent.pods.manifests.StaticPod;
import dev.berth.agent.pods.status.StatusFacts.Fate;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/// Takes pods one after the other while there is room for them; reasons and words are the
/// kubelet's. Those that no scheduler chose this node for may be too many.
final class Admissions {
  private static final String PORTS_TAKEN =
      "node(s) didn't have free ports for the requested pod ports";

  private final NodeCapacity room;
  private final ReentrantLock lock = new ReentrantLock();

  /// The UIDs of those that were taken; guarded by the lock.
  private final Set<String> taken = new HashSet<>();

  Admissions(NodeCapacity room) {
    this.room = room;
  }

  /// Why a pod is not taken; one that was, by this agent or an earlier one, stays. So does what the
  /// node itself wants.
  ///
  /// @param present the pods of the node that have not ended
  Optional<Fate> refusal(Pod pod, Supplier<List<Pod>> present) {
    lock.lock();
    try {
      String uid = pod.getMetadata().getUid();
      if (wasTaken(pod)) {
        return Optional.empty();
      }
      List<Pod> all = present.get();
      taken.retainAll(all.stream().map(one -> one.getMetadata().getUid()).toList());
      List<Pod> others =
          all.stream()
              .filter(one -> !one.getMetadata().getUid().equals(uid) && wasTaken(one))
              .toList();
      Optional<Fate> refusal = StaticPod.isStatic(pod) ? Optional.empty() : refusal(pod, others);
      if (refusal.isEmpty()) {
        taken.add(uid);
      }
      return refusal;
    } finally {
      lock.unlock();
    }
  }

  /// Called with the lock held.
  private boolean wasTaken(Pod pod) {
    return taken.contains(pod.getMetadata().getUid())
        || (pod.getStatus() != null && pod.getStatus().getStartTime() != null);
  }

  private Optional<Fate> refusal(Pod pod, List<Pod> others) {
    return outOf("pods", pod, others, _ -> 1, room.pods())
        .or(() -> outOf("cpu", pod, others, PodAmounts::cpuWithOverhead, room.cpuMilli()))
        .or(() -> outOf("memory", room.memoryBytes(), pod, others))
        .or(() -> outOf("ephemeral-storage", room.ephemeralStorageBytes(), pod, others))
        .or(() -> ports(pod, others));
  }

  private static Optional<Fate> outOf(String resource, long room, Pod pod, List<Pod> others) {
    return outOf(resource, pod, others, one -> PodAmounts.request(one, resource), room);
  }

  private static Optional<Fate> outOf(
      String resource, Pod pod, List<Pod> others, ToLongFunction<Pod> amount, long room) {
    long requested = amount.applyAsLong(pod);
    long used = others.stream().mapToLong(amount).sum();
    // What a node has is not always known.
    return room <= 0 || requested == 0 || used + requested <= room
        ? Optional.empty()
        : Optional.of(
            rejected(
                "OutOf" + resource,
                "Node didn't have enough resource: %s, requested: %d, used: %d, capacity: %d"
                    .formatted(resource, requested, used, room)));
  }

  private static Optional<Fate> ports(Pod pod, List<Pod> others) {
    boolean taken =
        ports(pod)
            .anyMatch(
                port -> others.stream().flatMap(Admissions::ports).anyMatch(o -> collide(port, o)));
    return taken ? Optional.of(failed("NodePorts", PORTS_TAKEN)) : Optional.empty();
  }

  private static Stream<ContainerPort> ports(Pod pod) {
    return pod.getSpec().getContainers().stream()
        .flatMap(container -> container.getPorts().stream())
        .filter(port -> port.getHostPort() != null && port.getHostPort() > 0);
  }

  private static boolean collide(ContainerPort one, ContainerPort other) {
    String address = address(one);
    return one.getHostPort().equals(other.getHostPort())
        && protocol(one).equals(protocol(other))
        && (address.equals(address(other)) || isAny(address) || isAny(address(other)));
  }

  private static boolean isAny(String address) {
    return address.isEmpty() || address.equals("0.0.0.0");
  }

  private static String address(ContainerPort port) {
    return Objects.requireNonNullElse(port.getHostIP(), "");
  }

  private static String protocol(ContainerPort port) {
    return Objects.requireNonNullElse(port.getProtocol(), "TCP");
  }

  /// @param predicate one of the scheduler's rules that the node asks about again
  static Fate failed(String predicate, String why) {
    return rejected(predicate, "Predicate %s failed: %s".formatted(predicate, why));
  }

  private static Fate rejected(String reason, String message) {
    return new Fate(reason, "Pod was rejected: " + message);
  }
}
