package dev.berth.agent.pods.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.config.ContainerCapacity;
import dev.berth.agent.pods.config.ResourceAllocation;
import dev.berth.agent.pods.status.FailureReason;
import dev.berth.agent.pods.status.StatusFacts.PodFailure;
import dev.berth.agent.pressure.EvictionCandidate;
import dev.berth.api.pods.HostPort;
import dev.berth.api.pods.PodSource;
import dev.berth.api.pods.PodView;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Admits pods one after the other while there is room, and allocates resources to resized pods.
/// Reasons and messages are the kubelet's. Pods that bypass the scheduler may be too many for the
/// node.
public final class PodAdmissionQueue {
  private static final String PORTS_TAKEN =
      "node(s) didn't have free ports for the requested pod ports";

  private final ContainerCapacity room;
  private final ReentrantLock lock = new ReentrantLock();

  /// UIDs of admitted pods. Guarded by the lock.
  private final Set<String> taken = new HashSet<>();

  /// UIDs of preempted pods, by the UID of the pod that needs the room. Guarded by the lock.
  private final Map<String, List<String>> making = new HashMap<>();

  public PodAdmissionQueue(ContainerCapacity room) {
    this.room = room;
  }

  /// The result of an admission.
  public sealed interface Answer {
    record Taken() implements Answer {}

    record Refused(PodFailure podFailure) implements Answer {}

    /// The pod is admitted when the preempted pods have stopped.
    ///
    /// @param going UIDs of the preempted pods
    record Awaiting(List<String> going) implements Answer {
      public Awaiting {
        going = List.copyOf(going);
      }
    }
  }

  /// Decides about a pod. A pod that this or an earlier agent admitted stays admitted. A critical
  /// pod may preempt others, and a static pod is never refused.
  public Answer ask(Pod pod, AdmittedPods admittedPods) {
    lock.lock();
    try {
      String uid = pod.getMetadata().getUid();
      Answer answer = wasTaken(pod) ? new Answer.Taken() : decide(pod, admittedPods);
      if (answer instanceof Answer.Refused) {
        return answer;
      }
      taken.add(uid);
      List<String> going =
          making.getOrDefault(uid, List.of()).stream()
              .filter(one -> !admittedPods.hasStopped(one))
              .toList();
      making.put(uid, going);
      return going.isEmpty() ? new Answer.Taken() : new Answer.Awaiting(going);
    } finally {
      lock.unlock();
    }
  }

  /// Allocates to an admitted pod the resources it asks for, or leaves it what it had.
  ///
  /// @param lastStatus the status that was written last
  /// @param keep receives the allocation while the lock is held: the next caller already counts it
  public void allot(
      Pod pod, JsonNode lastStatus, AdmittedPods admittedPods, Consumer<ResourceAllocation> keep) {
    lock.lock();
    try {
      keep.accept(
          ResourceAllocation.of(pod, lastStatus, others(pod, admittedPods.present()), room));
    } finally {
      lock.unlock();
    }
  }

  /// The caller holds the lock.
  private boolean wasTaken(Pod pod) {
    return taken.contains(pod.getMetadata().getUid())
        || (pod.getStatus() != null && pod.getStatus().getStartTime() != null);
  }

  /// Called with the lock held.
  private Answer decide(Pod pod, AdmittedPods admittedPods) {
    List<Pod> all = admittedPods.present();
    List<String> uids = all.stream().map(one -> one.getMetadata().getUid()).toList();
    taken.retainAll(uids);
    making.keySet().retainAll(uids);
    List<Pod> others = others(pod, all);
    Map<NodeResource, Long> missing = missing(pod, others);
    Optional<PodFailure> taken = ports(pod, others);
    Optional<PodFailure> refusal =
        missing.keySet().stream().findFirst().map(one -> outOf(one, pod, others)).or(() -> taken);
    if (EvictionCandidate.isCritical(pod)) {
      refusal = taken.or(() -> preempt(pod, others, missing, admittedPods));
    }
    return refusal.isEmpty() || PodSource.isStatic(pod)
        ? new Answer.Taken()
        : new Answer.Refused(refusal.get());
  }

  /// Pods whose room is neither free nor about to be. Static pods always count, even before
  /// anything records their admission. The caller holds the lock.
  private List<Pod> others(Pod pod, List<Pod> all) {
    String uid = pod.getMetadata().getUid();
    Set<String> going = new HashSet<>();
    making.values().forEach(going::addAll);
    return all.stream()
        .filter(one -> !one.getMetadata().getUid().equals(uid))
        .filter(one -> wasTaken(one) || PodSource.isStatic(one))
        .filter(one -> !going.contains(one.getMetadata().getUid()))
        .toList();
  }

  /// What is missing, in the order in which the kubelet checks resources. The capacity may be
  /// unknown.
  private Map<NodeResource, Long> missing(Pod pod, List<Pod> others) {
    Map<NodeResource, Long> missing = new EnumMap<>(NodeResource.class);
    for (NodeResource resource : NodeResource.values()) {
      long requested = resource.of(pod);
      long left = resource.of(room) - used(resource, others);
      if (resource.of(room) > 0 && requested > 0 && requested > left) {
        missing.put(resource, requested - left);
      }
    }
    return missing;
  }

  private static long used(NodeResource resource, List<Pod> others) {
    return others.stream().mapToLong(resource::of).sum();
  }

  private PodFailure outOf(NodeResource resource, Pod pod, List<Pod> others) {
    return PodFailure.rejected(
        resource.shortage(),
        "Node didn't have enough resource: %s, requested: %d, used: %d, capacity: %d"
            .formatted(resource, resource.of(pod), used(resource, others), resource.of(room)));
  }

  /// Preempts other pods if that makes enough room. The caller holds the lock.
  private Optional<PodFailure> preempt(
      Pod pod, List<Pod> others, Map<NodeResource, Long> missing, AdmittedPods admittedPods) {
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    NodeResource first = missing.keySet().iterator().next();
    Optional<List<Pod>> victims = new CriticalPodPreemption(pod, others).victims(missing);
    if (victims.isEmpty()) {
      return Optional.of(outOf(first, pod, others));
    }
    List<String> going = victims.get().stream().map(one -> one.getMetadata().getUid()).toList();
    going.forEach(one -> admittedPods.preempt(one, PodFailure.preempted(), first.toString()));
    making.put(pod.getMetadata().getUid(), going);
    return Optional.empty();
  }

  private static Optional<PodFailure> ports(Pod pod, List<Pod> others) {
    Set<HostPort> own = HostPort.of(PodView.of(pod));
    boolean taken =
        !own.isEmpty()
            && others.stream()
                .flatMap(other -> HostPort.of(PodView.of(other)).stream())
                .anyMatch(port -> own.stream().anyMatch(port::conflictsWith));
    return taken ? Optional.of(failed(FailureReason.NODE_PORTS, PORTS_TAKEN)) : Optional.empty();
  }

  /// @param predicate a rule of the scheduler that the node checks again
  static PodFailure failed(FailureReason predicate, String why) {
    return PodFailure.rejected(predicate, "Predicate %s failed: %s".formatted(predicate, why));
  }
}
