package dev.berth.agent.runtimes.bindings;

import dev.berth.agent.runtimes.bindings.BindingDecision.Standing;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Bound;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Completed;
import dev.berth.agent.runtimes.bindings.PodBindings.Held;
import dev.berth.api.Problem;
import dev.berth.cri.v1.PodSandbox;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Recovers bindings from the sandboxes that runtime services list.
final class BindingRecovery {
  private static final Logger log = LoggerFactory.getLogger(BindingRecovery.class);

  private final BindingLog bindingLog;
  private final ConcurrentMap<String, Held> pods;

  /// Held while the log is written, so that answers are written in the order in which they count.
  /// Readers do not take it.
  private final ReentrantLock order = new ReentrantLock();

  private final ReentrantLock lock = new ReentrantLock();

  // The fields below are guarded by the lock.
  private final Set<String> expected = new HashSet<>();
  private final Set<String> answered = new HashSet<>();
  private final Map<String, List<SandboxClaim>> claimsByPod = new HashMap<>();
  private final Map<String, Problem> conflicts = new TreeMap<>();

  /// Whether pods without a record were never bound.
  private volatile boolean complete;

  BindingRecovery(BindingLog bindingLog, ConcurrentMap<String, Held> pods, boolean complete) {
    this.bindingLog = bindingLog;
    this.pods = pods;
    this.complete = complete;
  }

  void expect(String service) {
    lock.lock();
    try {
      expected.add(service);
      answered.remove(service);
    } finally {
      lock.unlock();
    }
  }

  void answered(String service, List<PodSandbox> sandboxes) {
    order.lock();
    try {
      record(settleAll(service, sandboxes));
    } finally {
      order.unlock();
    }
    log.info("bindings recovered service={} sandboxes={}", service, sandboxes.size());
  }

  /// The entries to write.
  private List<BindingLogEntry> settleAll(String service, List<PodSandbox> sandboxes) {
    lock.lock();
    try {
      if (!expected.contains(service)) {
        return List.of(); // The service was removed in between.
      }
      dropClaims(service);
      for (PodSandbox sandbox : sandboxes) {
        SandboxClaim claim = SandboxClaim.of(service, sandbox);
        if (claim.podUid().isEmpty()) {
          continue; // Not a pod of Kubernetes.
        }
        claimsByPod.computeIfAbsent(claim.podUid(), _ -> new ArrayList<>()).add(claim);
      }
      answered.add(service);
      List<BindingLogEntry> entries = new ArrayList<>();
      claimsByPod.forEach((pod, claims) -> settle(pod, claims, entries));
      if (!complete && answered.containsAll(expected)) {
        complete = true;
        entries.add(new Completed());
      }
      return entries;
    } finally {
      lock.unlock();
    }
  }

  private void settle(String pod, List<SandboxClaim> claims, List<BindingLogEntry> entries) {
    pods.compute(
        pod,
        (_, held) -> {
          Standing standing = held == null ? Standing.CLAIMED : held.standing();
          PodBinding current = held == null ? null : held.binding();
          BindingDecision ownership =
              BindingDecision.decide(current, standing, claims, this::hasNothingUnclaimed);
          logDecision(pod, ownership);
          PodBinding owner = ownership.owner();
          if (owner == null || owner.equals(current)) {
            return held;
          }
          entries.add(new Bound(owner));
          return new Held(owner, Standing.CLAIMED);
        });
  }

  /// Whether a service has claimed all its pods: it has answered, or is no longer registered and
  /// may have another name now.
  private boolean hasNothingUnclaimed(String service) {
    return answered.contains(service) || !expected.contains(service);
  }

  private void logDecision(String pod, BindingDecision ownership) {
    PodBinding owner = ownership.owner();
    if (owner == null || ownership.rivals().isEmpty()) {
      conflicts.remove(pod);
      return;
    }
    String rivals =
        ownership.rivals().stream()
            .map(claim -> "%s (sandbox %s)".formatted(claim.service(), claim.sandboxId()))
            .collect(Collectors.joining(", "));
    var problem =
        new Problem(
            "pod %s is claimed by more than one runtime service".formatted(pod),
            "it belongs to %s, and %s has it too".formatted(owner.service(), rivals),
            "Remove the sandbox that is not needed; the agent uses only that of "
                + owner.service());
    if (!problem.equals(conflicts.put(pod, problem))) {
      log.warn("{}", problem);
    }
  }

  boolean hasAnswered(String service) {
    lock.lock();
    try {
      return answered.contains(service);
    } finally {
      lock.unlock();
    }
  }

  boolean allHaveAnswered() {
    lock.lock();
    try {
      return answered.containsAll(expected);
    } finally {
      lock.unlock();
    }
  }

  Set<String> mayHoldUnknownPods() {
    if (complete) {
      return Set.of();
    }
    lock.lock();
    try {
      var silent = new TreeSet<>(expected);
      silent.removeAll(answered);
      return Set.copyOf(silent);
    } finally {
      lock.unlock();
    }
  }

  List<Problem> conflicts() {
    lock.lock();
    try {
      return List.copyOf(conflicts.values());
    } finally {
      lock.unlock();
    }
  }

  void forgetPod(String pod) {
    lock.lock();
    try {
      claimsByPod.remove(pod);
      conflicts.remove(pod);
    } finally {
      lock.unlock();
    }
  }

  void forgetService(String service) {
    lock.lock();
    try {
      expected.remove(service);
      answered.remove(service);
      dropClaims(service);
    } finally {
      lock.unlock();
    }
  }

  private void dropClaims(String service) {
    claimsByPod
        .values()
        .forEach(claims -> claims.removeIf(claim -> claim.service().equals(service)));
    claimsByPod.values().removeIf(List::isEmpty);
  }

  /// An entry that is not written is recovered again in the same way.
  private void record(List<BindingLogEntry> entries) {
    try {
      if (!entries.isEmpty()) {
        bindingLog.append(entries);
      }
    } catch (IOException e) {
      log.warn("recovered bindings are not recorded reason={}", e.getMessage());
    }
  }
}
