package dev.berth.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Workers that reconcile the objects whose keys are in a queue.
///
/// Loops are level-triggered: a key says that something may have changed and not what, and the
/// reconciler reads the state itself. A key that fails is retried with back-off and does not hold
/// up others. No two workers have the same key at the same time.
public final class ReconcileLoop<K> implements AutoCloseable {
  /// Compares the observed state of one object with its desired state and acts on the difference.
  ///
  /// An exception makes the loop retry with back-off.
  @FunctionalInterface
  public interface Reconciler<K> {
    Outcome reconcile(K key);
  }

  /// What must hold before the first key is processed, such as synced caches.
  @FunctionalInterface
  public interface Readiness {
    void await() throws InterruptedException;

    /// Waits until each cache has its first list.
    static Readiness of(Informer<?>... informers) {
      return () -> {
        for (Informer<?> informer : informers) {
          informer.awaitSynced();
        }
      };
    }
  }

  /// What to do next about a key.
  public sealed interface Outcome {
    /// Do nothing until something changes.
    record Settled() implements Outcome {}

    /// Process the key again after a delay; nothing failed.
    record LookAgain(Duration after) implements Outcome {}

    /// The desired state is not reached: process the key again with back-off, up to the given
    /// delay.
    record NotYet(Duration atMost) implements Outcome {}
  }

  public static final Outcome SETTLED = new Outcome.Settled();

  private static final Logger log = LoggerFactory.getLogger(ReconcileLoop.class);
  private static final Duration CLOSING = Duration.ofSeconds(5);

  private final String name;
  private final WorkQueue<K> queue;
  private final Readiness readiness;
  private final Reconciler<K> reconciler;
  private final List<Thread> workers = new ArrayList<>();

  private ReconcileLoop(
      String name, WorkQueue<K> queue, Readiness readiness, Reconciler<K> reconciler) {
    this.name = name;
    this.queue = queue;
    this.readiness = readiness;
    this.reconciler = reconciler;
  }

  /// Starts workers on a queue; closing the loop also closes the queue.
  public static <K> ReconcileLoop<K> start(
      String name, WorkQueue<K> queue, int workers, Readiness readiness, Reconciler<K> reconciler) {
    ReconcileLoop<K> loop = new ReconcileLoop<>(name, queue, readiness, reconciler);
    for (int i = 0; i < workers; i++) {
      loop.workers.add(Thread.ofVirtual().name(name + "-" + i).start(loop::work));
    }
    return loop;
  }

  private void work() {
    try {
      readiness.await();
      while (true) {
        K key = queue.take();
        try {
          attempt(key);
        } finally {
          queue.done(key);
        }
      }
    } catch (InterruptedException _) {
      // The queue is closed: the loop ends here.
    }
  }

  private void attempt(K key) {
    try {
      switch (reconciler.reconcile(key)) {
        case Outcome.Settled() -> recovered(key);
        case Outcome.LookAgain(Duration after) -> {
          recovered(key);
          queue.addAfter(key, after);
        }
        case Outcome.NotYet(Duration atMost) -> {
          // The shorter of both delays counts, so the growing back-off never exceeds the given one.
          queue.addAfter(key, atMost);
          queue.retry(key);
        }
      }
    } catch (ApiException e) {
      failed(key, e, Duration.ofSeconds(e.retryAfterSeconds().orElse(0)));
    } catch (RuntimeException e) {
      // The top of a worker: one failing object must not end the loop for all others.
      failed(key, e, Duration.ZERO);
    }
  }

  private void recovered(K key) {
    int failures = queue.forget(key);
    if (failures > 0) {
      log.debug("loop recovered loop={} key={} failures={}", name, key, failures);
    }
  }

  private void failed(K key, RuntimeException failure, Duration atLeast) {
    // Only the first failure in a row is a warning. A conflict is ordinary: somebody else wrote,
    // and the next attempt reads the new state.
    if (queue.failures(key) == 0
        && !isConflict(failure)
        && !Thread.currentThread().isInterrupted()) {
      log.warn("loop failed, will retry loop={} key={} reason={}", name, key, failure.toString());
    } else {
      log.debug("loop failed again loop={} key={}", name, key, failure);
    }
    queue.retry(key, atLeast);
  }

  private static boolean isConflict(RuntimeException failure) {
    return failure instanceof ApiException refused && refused.isConflict();
  }

  public String name() {
    return name;
  }

  public WorkQueue.Stats stats() {
    return queue.stats();
  }

  @Override
  public void close() {
    queue.close();
    workers.forEach(Thread::interrupt);
    try {
      for (Thread worker : workers) {
        if (!worker.join(CLOSING)) {
          log.warn("worker did not end loop={} thread={}", name, worker.getName());
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
