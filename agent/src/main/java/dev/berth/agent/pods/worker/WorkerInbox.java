package dev.berth.agent.pods.worker;

import dev.berth.agent.timing.WakeSignal;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The messages for one pod's worker. The newest desired state replaces older ones.
final class WorkerInbox {
  /// Everything that arrived since the last call.
  ///
  /// @param pod the newest desired state; null when there was none
  /// @param gone whether the API no longer has the pod
  /// @param notes results of steps, in order
  record Mail(@Nullable Pod pod, boolean gone, List<Runnable> notes) {}

  private final WakeSignal wakeSignal = new WakeSignal();
  private final ReentrantLock lock = new ReentrantLock();

  // The fields below are guarded by the lock.
  private @Nullable Pod newest;
  private boolean gone;
  private List<Runnable> notes = new ArrayList<>();

  void desire(Pod pod) {
    lock.lock();
    try {
      newest = pod;
    } finally {
      lock.unlock();
    }
    wakeSignal.ring();
  }

  void gone() {
    lock.lock();
    try {
      gone = true;
    } finally {
      lock.unlock();
    }
    wakeSignal.ring();
  }

  boolean isGone() {
    lock.lock();
    try {
      return gone;
    } finally {
      lock.unlock();
    }
  }

  /// Adds a task that the worker's thread runs.
  void post(Runnable note) {
    lock.lock();
    try {
      notes.add(note);
    } finally {
      lock.unlock();
    }
    wakeSignal.ring();
  }

  /// Wakes the worker without a message.
  void wake() {
    wakeSignal.ring();
  }

  Mail take() throws InterruptedException {
    wakeSignal.await();
    lock.lock();
    try {
      Mail mail = new Mail(newest, gone, notes);
      newest = null;
      notes = new ArrayList<>();
      return mail;
    } finally {
      lock.unlock();
    }
  }
}
