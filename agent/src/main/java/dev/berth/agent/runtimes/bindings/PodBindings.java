package dev.berth.agent.runtimes.bindings;

import dev.berth.agent.runtimes.bindings.BindingDecision.Standing;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Bound;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Drained;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Released;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Resumed;
import dev.berth.api.Problem;
import dev.berth.cri.v1.PodSandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The bindings of all pods of this node to runtime services.
///
/// A lookup takes no lock. A pod is bound once; its binding is on disk before it is used.
public final class PodBindings implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PodBindings.class);

  private final BindingLog bindingLog;
  private final BindingRecovery recovery;
  private final Map<String, Instant> drainedAtStart;
  private final ConcurrentMap<String, Held> pods = new ConcurrentHashMap<>();

  /// Pods being bound now, with their services.
  private final ConcurrentMap<String, String> underWay = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();

  record Held(PodBinding binding, Standing standing) {}

  private PodBindings(BindingLog bindingLog) {
    this.bindingLog = bindingLog;
    BindingLogContents contents = bindingLog.contents();
    this.drainedAtStart = contents.drained();
    this.recovery = new BindingRecovery(bindingLog, pods, contents.isComplete());
    for (PodBinding binding : contents.bindings()) {
      pods.put(binding.podUid(), new Held(binding, Standing.RECORDED));
    }
  }

  /// Reads the record of an earlier agent.
  public static PodBindings open(Path directory) throws IOException {
    Files.createDirectories(directory);
    return new PodBindings(BindingLog.open(directory.resolve("bindings")));
  }

  /// The pod's binding; takes no lock and makes no call.
  public Optional<PodBinding> find(String podUid) {
    Held held = pods.get(podUid);
    return held == null ? Optional.empty() : Optional.of(held.binding());
  }

  /// The result of an attempt to bind a pod.
  public sealed interface Attempt {
    /// The pod is bound, now or before.
    record Bound(PodBinding binding) implements Attempt {}

    /// Another caller binds the same pod at this moment.
    record Busy() implements Attempt {}

    /// The service no longer takes pods.
    record NotAdmitted() implements Attempt {}

    record NotRecorded(Problem problem) implements Attempt {}
  }

  /// Binds a pod, unless it is bound already.
  ///
  /// @param admitted whether the service takes pods. It is read after the pod counts as one of the
  ///   service's, so that a concurrent removal either sees the pod or is seen here
  public Attempt bind(PodBinding wanted, BooleanSupplier admitted) {
    String pod = wanted.podUid();
    if (underWay.putIfAbsent(pod, wanted.service()) != null) {
      return new Attempt.Busy();
    }
    try {
      Optional<PodBinding> confirmed = confirm(pod);
      if (confirmed.isPresent()) {
        return new Attempt.Bound(confirmed.get());
      }
      if (!admitted.getAsBoolean()) {
        return new Attempt.NotAdmitted();
      }
      bindingLog.append(List.of(new Bound(wanted)));
      Held found = pods.putIfAbsent(pod, new Held(wanted, Standing.CONFIRMED));
      if (found == null) {
        return new Attempt.Bound(wanted);
      }
      // Recovery has just found the pod at a service.
      bindingLog.append(List.of(new Bound(found.binding())));
      return new Attempt.Bound(confirm(pod).orElse(found.binding()));
    } catch (IOException e) {
      return new Attempt.NotRecorded(
          new Problem(
              "pod %s cannot be bound to runtime service %s".formatted(pod, wanted.service()),
              String.valueOf(e.getMessage()),
              "Make room on the agent's disk and check that its data directory can be written"));
    } finally {
      underWay.remove(pod);
    }
  }

  /// Binds a pod of which the service has something, unless it is bound already.
  public void adopt(PodBinding found) {
    if (pods.putIfAbsent(found.podUid(), new Held(found, Standing.CLAIMED)) == null) {
      // If the entry is lost, recovery finds the pod again.
      record(List.of(new Bound(found)));
    }
  }

  /// The pod's binding, made final against later claims.
  public Optional<PodBinding> confirm(String podUid) {
    Held held = pods.get(podUid);
    if (held == null || held.standing() == Standing.CONFIRMED) {
      return Optional.ofNullable(held).map(Held::binding);
    }
    return Optional.ofNullable(
            pods.computeIfPresent(podUid, (_, now) -> new Held(now.binding(), Standing.CONFIRMED)))
        .map(Held::binding);
  }

  /// Releases a pod that is completely removed.
  public void release(String podUid) {
    if (pods.remove(podUid) == null) {
      return;
    }
    recovery.forgetPod(podUid);
    record(List.of(new Released(podUid)));
    signalRelease();
  }

  /// The UIDs of all pods.
  public Set<String> pods() {
    return Set.copyOf(pods.keySet());
  }

  /// The pods of a service.
  public List<PodBinding> of(String service) {
    return pods.values().stream()
        .map(Held::binding)
        .filter(binding -> binding.service().equals(service))
        .sorted(Comparator.comparing(PodBinding::podUid))
        .toList();
  }

  /// The number of a service's pods, including those being bound now.
  public int count(String service) {
    int count = 0;
    for (Held held : pods.values()) {
      count += held.binding().service().equals(service) ? 1 : 0;
    }
    for (String name : underWay.values()) {
      count += name.equals(service) ? 1 : 0;
    }
    return count;
  }

  /// Waits until a service has no pods.
  ///
  /// @return how many are left after the time
  public int awaitNone(String service, Duration time) throws InterruptedException {
    long left = time.toNanos();
    lock.lock();
    try {
      int count = count(service);
      while (count > 0 && left > 0) {
        left = released.awaitNanos(left);
        count = count(service);
      }
      return count;
    } finally {
      lock.unlock();
    }
  }

  /// Releases all pods of a service that does not come back.
  public List<PodBinding> forget(String service) {
    List<PodBinding> gone = of(service);
    gone.forEach(binding -> pods.remove(binding.podUid()));
    recovery.forgetService(service);
    record(gone.stream().<BindingLogEntry>map(binding -> new Released(binding.podUid())).toList());
    signalRelease();
    return gone;
  }

  /// Registers a service whose sandboxes are unknown until it answers.
  public void expect(String service) {
    recovery.expect(service);
  }

  /// Takes in a service's complete list of sandboxes.
  public void recover(String service, List<PodSandbox> sandboxes) {
    recovery.answered(service, sandboxes);
  }

  /// Whether the service has listed its sandboxes since its registration.
  public boolean hasAnswered(String service) {
    return recovery.hasAnswered(service);
  }

  /// Whether every registered service has listed its sandboxes.
  public boolean allHaveAnswered() {
    return recovery.allHaveAnswered();
  }

  /// Services that may have pods without a record; none while the record is complete.
  public Set<String> mayHoldUnknownPods() {
    return recovery.mayHoldUnknownPods();
  }

  /// Pods that more than one service has.
  public List<Problem> conflicts() {
    return recovery.conflicts();
  }

  /// The services that were being drained when the agent ended.
  public Map<String, Instant> drainedAtStart() {
    return drainedAtStart;
  }

  public void drain(String service, Instant since) {
    record(List.of(new Drained(service, since)));
  }

  public void resume(String service) {
    record(List.of(new Resumed(service)));
  }

  private void signalRelease() {
    lock.lock();
    try {
      released.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// If such an entry is lost, recovery looks again after a restart.
  private void record(List<BindingLogEntry> entries) {
    try {
      bindingLog.appendLazily(entries);
    } catch (IOException e) {
      log.warn("bindings not recorded entries={} reason={}", entries, e.getMessage());
    }
  }

  @Override
  public void close() {
    bindingLog.close();
  }

  @Nullable Standing standing(String podUid) {
    Held held = pods.get(podUid);
    return held == null ? null : held.standing();
  }
}
