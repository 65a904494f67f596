package dev.berth.vm.pods;

import dev.berth.vm.pods.state.SandboxRecord;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A sandbox of this process.
public final class LivePod {
  private final String id;

  /// Held while a call changes the sandbox or makes and removes its containers. It comes before the
  /// locks of containers. Lists and statuses do not take it, so a stuck call hides nothing.
  private final ReentrantLock calls = new ReentrantLock();

  /// In the order of creation.
  private final List<LiveContainer> containers = new CopyOnWriteArrayList<>();

  private volatile SandboxRecord record;
  private volatile @Nullable PodGuest guest;

  LivePod(SandboxRecord record) {
    this.id = record.id();
    this.record = record;
  }

  public String id() {
    return id;
  }

  public ReentrantLock calls() {
    return calls;
  }

  public SandboxRecord record() {
    return record;
  }

  void record(SandboxRecord changed) {
    record = changed;
  }

  public List<LiveContainer> containers() {
    return List.copyOf(containers);
  }

  void add(LiveContainer container) {
    containers.add(container);
  }

  void remove(LiveContainer container) {
    containers.remove(container);
  }

  /// Empty before the machine runs, and once it is gone.
  public Optional<PodGuest> guest() {
    return Optional.ofNullable(guest);
  }

  public void guest(@Nullable PodGuest link) {
    guest = link;
  }
}
