package dev.berth.vm.pods;

import dev.berth.api.Problem;
import dev.berth.vm.guest.GuestAgent;
import dev.berth.vm.guest.GuestListener;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.model.OutputPosition;
import dev.berth.vm.machine.VirtualMachine;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connection to the guest of one sandbox. A connection that breaks is made again for as long
/// as the machine runs, on a thread of its own.
public final class PodGuest implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PodGuest.class);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final LivePod pod;
  private final VirtualMachine machine;
  private final GuestOpener opener;
  private final ContainerReports reports;
  private final Duration limit;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final ReentrantLock lock = new ReentrantLock();

  /// Guarded by the lock, like the two below.
  private @Nullable GuestAgent agent;

  /// Counts connections, so that the end of an old one does not end its successor.
  private int generation;

  private Problem lost;

  /// @param limit of a connect, and of each request
  public PodGuest(
      LivePod pod,
      VirtualMachine machine,
      GuestOpener opener,
      ContainerReports reports,
      Duration limit) {
    this.pod = pod;
    this.machine = machine;
    this.opener = opener;
    this.reports = reports;
    this.limit = limit;
    this.lost =
        new Problem(
            "the guest of sandbox %s cannot be asked".formatted(pod.id()),
            "it is not connected yet",
            "");
  }

  public VirtualMachine machine() {
    return machine;
  }

  /// The guest, if it is connected.
  ///
  /// @throws GuestException DISCONNECTED otherwise; the connection is tried again meanwhile
  public GuestAgent agent() {
    lock.lock();
    try {
      if (agent == null) {
        throw new GuestException(FailureKind.DISCONNECTED, lost);
      }
      return agent;
    } finally {
      lock.unlock();
    }
  }

  /// Connects for the first time.
  public GuestAgent connect() {
    int mine = nextGeneration();
    GuestAgent connected =
        opener.connect(machine.agentSocket(), limit, new Reports(mine), positions());
    boolean late = closing.getCount() == 0;
    lock.lock();
    try {
      agent = late || generation != mine ? null : connected;
    } finally {
      lock.unlock();
    }
    if (late) {
      connected.close();
      throw new GuestException(FailureKind.DISCONNECTED, lost);
    }
    return connected;
  }

  /// Connects in the background, for as long as the machine runs.
  ///
  /// @param leftovers containers that the guest is to remove
  public void connectLater(List<String> leftovers) {
    Thread.ofVirtual().name("guest-connect-" + pod.id()).start(() -> connectAgain(leftovers));
  }

  private int nextGeneration() {
    lock.lock();
    try {
      agent = null;
      return ++generation;
    } finally {
      lock.unlock();
    }
  }

  private Map<String, OutputPosition> positions() {
    Map<String, OutputPosition> positions = new HashMap<>();
    for (LiveContainer container : pod.containers()) {
      container.output().ifPresent(output -> positions.put(container.id(), output.position()));
    }
    return positions;
  }

  private void connectAgain(List<String> leftovers) {
    Duration pause = FIRST_PAUSE;
    boolean failedBefore = false;
    try {
      while (machine.exit().isEmpty() && closing.getCount() > 0) {
        try {
          GuestAgent connected = connect();
          leftovers.forEach(connected::remove);
          reports.compare(pod, connected.list());
          if (failedBefore) {
            log.info("guest connected again sandbox={}", pod.id());
          }
          return;
        } catch (GuestException e) {
          if (!failedBefore) {
            log.warn("guest not connected sandbox={} reason={}", pod.id(), e.getMessage());
          }
          failedBefore = true;
          lose(e.problem());
        }
        if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
        pause = pause.multipliedBy(2);
        pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void lose(Problem reason) {
    GuestAgent old;
    lock.lock();
    try {
      lost = reason;
      old = agent;
      agent = null;
    } finally {
      lock.unlock();
    }
    if (old != null) {
      old.close();
    }
  }

  private Optional<LiveContainer> container(String id) {
    List<LiveContainer> all = pod.containers();
    return all.stream().filter(one -> one.id().equals(id)).findFirst();
  }

  /// Ends the connection for good. The guest goes on.
  @Override
  public void close() {
    closing.countDown();
    GuestAgent open;
    lock.lock();
    try {
      generation++;
      open = agent;
      agent = null;
    } finally {
      lock.unlock();
    }
    if (open != null) {
      open.close();
    }
  }

  /// What one connection reports.
  private final class Reports implements GuestListener {
    private final int mine;

    private Reports(int mine) {
      this.mine = mine;
    }

    @Override
    public void output(String id, GuestStream stream, long offset, byte[] bytes) {
      container(id)
          .flatMap(LiveContainer::output)
          .ifPresent(output -> output.write(stream, offset, bytes));
    }

    @Override
    public void exited(String id, GuestExit exit) {
      container(id).ifPresent(container -> reports.ended(container, exit));
    }

    @Override
    public void disconnected(Problem reason) {
      boolean current;
      lock.lock();
      try {
        current = generation == mine && closing.getCount() > 0;
        if (current) {
          agent = null;
          lost = reason;
        }
      } finally {
        lock.unlock();
      }
      if (current && machine.exit().isEmpty()) {
        connectLater(List.of());
      }
    }
  }
}
