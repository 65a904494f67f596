package dev.berth.vm.pods;

import dev.berth.vm.pods.output.ContainerOutput;
import dev.berth.vm.pods.state.ContainerRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A container of this process.
public final class LiveContainer {
  private final String id;
  private final LivePod pod;
  private final CountDownLatch ended = new CountDownLatch(1);

  /// Held while the record changes. A start holds it until the start is on disk, so that an end
  /// that comes meanwhile waits.
  private final ReentrantLock changes = new ReentrantLock();

  private volatile ContainerRecord record;
  private volatile @Nullable ContainerOutput output;

  /// Guarded by `changes`: nothing is written about a removed container.
  private boolean removed;

  LiveContainer(ContainerRecord record, LivePod pod) {
    this.id = record.id();
    this.record = record;
    this.pod = pod;
    if (record.hasEnded()) {
      ended.countDown();
    }
  }

  public String id() {
    return id;
  }

  public LivePod pod() {
    return pod;
  }

  public ReentrantLock changes() {
    return changes;
  }

  public ContainerRecord record() {
    return record;
  }

  void record(ContainerRecord changed) {
    record = changed;
    if (changed.hasEnded()) {
      ended.countDown();
    }
  }

  boolean removed() {
    return removed;
  }

  void setRemoved() {
    removed = true;
    ended.countDown();
  }

  /// Empty before its start, and after its end.
  public Optional<ContainerOutput> output() {
    return Optional.ofNullable(output);
  }

  public void output(ContainerOutput opened) {
    output = opened;
  }

  /// Closes the log. Clients that are attached see the end.
  public void closeOutput() {
    ContainerOutput open = output;
    output = null;
    if (open != null) {
      open.close();
    }
  }

  /// Waits until the container has ended or is removed.
  ///
  /// @return whether that happened within the limit
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    return ended.await(limit.toNanos(), TimeUnit.NANOSECONDS);
  }
}
