package dev.berth.vm.pods;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.cri.serving.EventHub;
import dev.berth.cri.serving.PrefixIndex;
import dev.berth.cri.v1.ContainerEventType;
import dev.berth.vm.pods.state.ContainerRecord;
import dev.berth.vm.pods.state.SandboxRecord;
import dev.berth.vm.pods.state.StateDirectory;
import dev.berth.vm.pods.state.StateException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All sandboxes and containers, in memory and on disk. A change is on disk before it shows.
///
/// Its own lock guards the indexes and the order of events. It is taken last and never held while a
/// guest is asked.
public final class PodInventory {
  private static final Logger log = LoggerFactory.getLogger(PodInventory.class);

  private final StateDirectory state;
  private final InstantSource clock;
  private final EventHub events = new EventHub();
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock, like the two below.
  private final PrefixIndex<LivePod> pods = new PrefixIndex<>();

  private final PrefixIndex<LiveContainer> containers = new PrefixIndex<>();

  /// Who has a name, by the name: a second attempt of a pod must not exist beside the first.
  private final Map<String, String> names = new HashMap<>();

  public PodInventory(StateDirectory state, InstantSource clock) {
    this.state = state;
    this.clock = clock;
  }

  public EventHub events() {
    return events;
  }

  public StateDirectory state() {
    return state;
  }

  /// Nanoseconds since the epoch, as CRI counts.
  public long now() {
    Instant instant = clock.instant();
    return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
  }

  public InstantSource clock() {
    return clock;
  }

  /// Adds a sandbox under its name, on disk before anything of it exists. It is not listed before
  /// it is [#show]n.
  public LivePod reserve(SandboxRecord sandbox) {
    reserve("sandbox", sandbox.name(), sandbox.id());
    try {
      state.write(sandbox);
    } catch (StateException e) {
      release(sandbox.name());
      throw e;
    }
    return new LivePod(sandbox);
  }

  /// Adds a container under its name, likewise.
  public LiveContainer reserve(ContainerRecord container, LivePod pod) {
    String name = ContainerRecord.name(container.config(), pod.record());
    reserve("container", name, container.id());
    try {
      state.write(container);
    } catch (StateException e) {
      release(name);
      throw e;
    }
    return new LiveContainer(container, pod);
  }

  private void reserve(String kind, String name, String id) {
    locked(
        () -> {
          String owner = names.putIfAbsent(name, id);
          if (owner != null) {
            throw CallRefusal.unknown(
                "failed to reserve %s name \"%s\": name \"%s\" is reserved for \"%s\""
                    .formatted(kind, name, name, owner));
          }
          return name;
        });
  }

  private void release(String name) {
    locked(() -> Optional.ofNullable(names.remove(name)));
  }

  /// Lists a sandbox from now on, in a state that is written first.
  public void show(LivePod pod, SandboxRecord ready) {
    state.write(ready);
    pod.record(ready);
    locked(
        () -> {
          pods.put(pod.id(), pod);
          publish(pod.id(), ContainerEventType.CONTAINER_CREATED_EVENT, pod);
          publish(pod.id(), ContainerEventType.CONTAINER_STARTED_EVENT, pod);
          return pod;
        });
  }

  public void show(LiveContainer container, ContainerRecord created) {
    state.write(created);
    container.record(created);
    locked(
        () -> {
          containers.put(container.id(), container);
          container.pod().add(container);
          publish(container.id(), ContainerEventType.CONTAINER_CREATED_EVENT, container.pod());
          return container;
        });
  }

  /// Adds what an earlier process left, without an event: clients list after they connect.
  LivePod recovered(SandboxRecord sandbox) {
    LivePod pod = new LivePod(sandbox);
    return locked(
        () -> {
          names.put(sandbox.name(), sandbox.id());
          pods.put(sandbox.id(), pod);
          return pod;
        });
  }

  LiveContainer recovered(ContainerRecord record, LivePod pod) {
    LiveContainer container = new LiveContainer(record, pod);
    return locked(
        () -> {
          names.put(ContainerRecord.name(record.config(), pod.record()), record.id());
          containers.put(record.id(), container);
          pod.add(container);
          return container;
        });
  }

  /// Changes a sandbox, and publishes an event when it stops by that.
  public void change(LivePod pod, UnaryOperator<SandboxRecord> change) {
    SandboxRecord before = pod.record();
    SandboxRecord after = change.apply(before);
    state.write(after);
    pod.record(after);
    if (before.isReady() && !after.isReady()) {
      locked(
          () -> {
            publish(pod.id(), ContainerEventType.CONTAINER_STOPPED_EVENT, pod);
            return pod;
          });
    }
  }

  /// Changes a container, unless it is removed, and publishes an event when it starts or ends by
  /// that.
  public void change(LiveContainer container, UnaryOperator<ContainerRecord> change) {
    container.changes().lock();
    try {
      if (container.removed()) {
        return;
      }
      ContainerRecord before = container.record();
      ContainerRecord after = change.apply(before);
      if (after.equals(before)) {
        return;
      }
      write(after);
      container.record(after);
      if (before.phase() != after.phase()) {
        locked(
            () -> {
              publish(
                  container.id(),
                  after.hasEnded()
                      ? ContainerEventType.CONTAINER_STOPPED_EVENT
                      : ContainerEventType.CONTAINER_STARTED_EVENT,
                  container.pod());
              return container;
            });
      }
    } finally {
      container.changes().unlock();
    }
  }

  /// What happened to a container is true whether or not it can be written; a new process asks the
  /// guest again.
  private void write(ContainerRecord container) {
    try {
      state.write(container);
    } catch (StateException e) {
      log.warn("state not written container={} reason={}", container.id(), e.getMessage());
    }
  }

  /// Removes a sandbox, which has no containers any more, or never got ready.
  public void remove(LivePod pod) {
    state.removeSandbox(pod.id());
    locked(
        () -> {
          names.remove(pod.record().name(), pod.id());
          if (pods.lookUp(pod.id()).isPresent()) {
            pods.remove(pod.id());
            publish(pod.id(), ContainerEventType.CONTAINER_DELETED_EVENT, pod);
          }
          return pod;
        });
  }

  /// Forgets a container, which may never have been shown.
  public void remove(LiveContainer container) {
    container.changes().lock();
    try {
      container.setRemoved();
      container.closeOutput();
      state.removeContainer(container.id());
    } finally {
      container.changes().unlock();
    }
    LivePod pod = container.pod();
    locked(
        () -> {
          names.remove(
              ContainerRecord.name(container.record().config(), pod.record()), container.id());
          if (containers.lookUp(container.id()).isPresent()) {
            containers.remove(container.id());
            pod.remove(container);
            publish(container.id(), ContainerEventType.CONTAINER_DELETED_EVENT, pod);
          }
          return container;
        });
  }

  private void publish(String id, ContainerEventType type, LivePod pod) {
    events.publish(() -> PodViews.event(id, type, pod, now()));
  }

  public <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /// Finds a sandbox by its id or a unique prefix.
  ///
  /// @throws CallRefusal in containerd's words
  public LivePod pod(String id) {
    return locked(() -> pods.find(id));
  }

  public Optional<LivePod> lookUpPod(String id) {
    return locked(() -> pods.lookUp(id));
  }

  public LiveContainer container(String id) {
    return locked(() -> containers.find(id));
  }

  public Optional<LiveContainer> lookUpContainer(String id) {
    return locked(() -> containers.lookUp(id));
  }

  public List<LivePod> pods(String prefix) {
    return locked(() -> pods.matching(prefix));
  }

  public List<LiveContainer> containers(String prefix) {
    return locked(() -> containers.matching(prefix));
  }
}
