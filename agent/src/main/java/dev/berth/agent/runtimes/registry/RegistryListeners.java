package dev.berth.agent.runtimes.registry;

import dev.berth.agent.runtimes.RuntimeServices.Following;
import dev.berth.agent.runtimes.RuntimeSnapshot;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Listeners to changes, each on a thread of its own: a slow one blocks no other.
final class RegistryListeners {
  private static final Logger log = LoggerFactory.getLogger(RegistryListeners.class);
  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  private final Set<RegistryListener> all = ConcurrentHashMap.newKeySet();

  Following follow(RuntimeSnapshot present, Consumer<RuntimeSnapshot> listener) {
    var registryListener = new RegistryListener(present, listener);
    all.add(registryListener);
    registryListener.thread.start();
    return () -> {
      all.remove(registryListener);
      registryListener.end();
    };
  }

  void publish(RuntimeSnapshot snapshot) {
    all.forEach(registryListener -> registryListener.offer(snapshot));
  }

  void close() {
    all.forEach(RegistryListener::end);
    all.clear();
  }

  private static final class RegistryListener {
    private final Consumer<RuntimeSnapshot> listener;
    private final Thread thread =
        Thread.ofVirtual().name("runtime-registry-listener").unstarted(this::run);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// Guarded by the lock.
    private RuntimeSnapshot newest;

    private RegistryListener(RuntimeSnapshot present, Consumer<RuntimeSnapshot> listener) {
      this.newest = present;
      this.listener = listener;
    }

    private void run() {
      long last = -1;
      try {
        while (true) {
          RuntimeSnapshot next = newerThan(last);
          last = next.version();
          listener.accept(next);
        }
      } catch (InterruptedException _) {
        // The listener was closed.
      } catch (RuntimeException e) {
        log.error("a listener to runtime services failed and gets no further calls", e);
      }
    }

    private RuntimeSnapshot newerThan(long version) throws InterruptedException {
      lock.lockInterruptibly();
      try {
        while (newest.version() <= version) {
          changed.await();
        }
        return newest;
      } finally {
        lock.unlock();
      }
    }

    private void offer(RuntimeSnapshot snapshot) {
      lock.lock();
      try {
        if (snapshot.version() > newest.version()) {
          newest = snapshot;
          changed.signal();
        }
      } finally {
        lock.unlock();
      }
    }

    private void end() {
      thread.interrupt();
      if (Thread.currentThread().equals(thread)) {
        return;
      }
      try {
        thread.join(LONGEST_END);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
