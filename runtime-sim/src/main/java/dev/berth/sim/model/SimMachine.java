package dev.berth.sim.model;

import dev.berth.cri.serving.EventHub;
import dev.berth.cri.serving.PrefixIndex;
import dev.berth.cri.serving.RandomIds;
import dev.berth.sim.images.ImageStore;
import dev.berth.sim.knobs.ServiceKnobs;
import dev.berth.sim.time.SimClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The state of one simulated runtime.
///
/// One lock guards all of it: calls are short, and a service has few callers. Threads that hold it
/// may take the locks of process inboxes, logs and the image store; no thread takes it while it
/// holds one of these. Listeners of events and sandboxes run under the lock and must not block.
public final class SimMachine {
  final ServiceKnobs knobs;
  final ImageStore images;
  final SimClock timeline;
  final RandomIds ids;
  final EventHub events = new EventHub();
  final List<SandboxListener> listeners = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();

  /// Signaled when a container ends.
  final Condition changed = lock.newCondition();

  /// One pool per address range. The lock guards it and all fields below.
  final List<AddressPool> pools;

  final PrefixIndex<SimSandbox> sandboxes = new PrefixIndex<>();
  final PrefixIndex<SimContainer> containers = new PrefixIndex<>();
  final Map<String, String> sandboxNames = new HashMap<>();
  final Map<String, String> containerNames = new HashMap<>();

  public SimMachine(
      ServiceKnobs knobs,
      ImageStore images,
      List<AddressPool> pools,
      SimClock timeline,
      RandomIds ids) {
    this.knobs = knobs;
    this.images = images;
    this.pools = List.copyOf(pools);
    this.timeline = timeline;
    this.ids = ids;
  }

  public ServiceKnobs knobs() {
    return knobs;
  }

  public ImageStore images() {
    return images;
  }

  public SimClock timeline() {
    return timeline;
  }

  public RandomIds ids() {
    return ids;
  }

  public EventHub events() {
    return events;
  }

  public void listen(SandboxListener listener) {
    listeners.add(listener);
  }

  /// Finds a sandbox; fails with containerd's error when it does not exist.
  public SimSandbox sandbox(String id) {
    return locked(() -> sandboxes.find(id));
  }

  public int sandboxCount() {
    return locked(sandboxes::size);
  }

  public int containerCount() {
    return locked(containers::size);
  }

  /// Removes everything but images, as a reboot of the machine does.
  public void forget() {
    run(
        () -> {
          // A copy: the end of a process may come back and change the index.
          List.copyOf(containers.all()).forEach(ContainerLifecycle::forget);
          containers.clear();
          for (SimSandbox sandbox : sandboxes.all()) {
            listeners.forEach(listener -> listener.removed(sandbox));
            releaseAddresses(sandbox);
          }
          sandboxes.clear();
          sandboxNames.clear();
          containerNames.clear();
          changed.signalAll();
        });
  }

  void releaseAddresses(SimSandbox sandbox) {
    for (int i = 0; i < sandbox.addresses.size(); i++) {
      pools.get(i).release(sandbox.addresses.get(i));
    }
    sandbox.addresses = List.of();
  }

  public <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  void run(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }
}
