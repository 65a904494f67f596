package dev.berth.vm.guest;

import dev.berth.api.Problem;
import dev.berth.vm.guest.StreamBuffer.StreamChunk;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.wire.FrameType;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The output and the end of a program that `exec` started. Its thread gives the output to the
/// sink.
final class ProcessChannel implements GuestChannel {
  private final GuestLink link;
  private final int id;
  private final OutputSink sink;
  private final Runnable over;
  private final ChannelOutput output;
  private final Thread delivery;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /// Guarded by the lock, as the fields below.
  private final StreamBuffer received = new StreamBuffer();

  private final ReceiveWindow window = new ReceiveWindow();
  private @Nullable GuestExit exit;

  /// Why no exit comes any more.
  private @Nullable GuestException failure;

  private boolean delivered;

  /// @param over runs when nothing of the program is in memory any more
  ProcessChannel(GuestLink link, int id, OutputSink sink, Runnable over) {
    this.link = link;
    this.id = id;
    this.sink = sink;
    this.over = over;
    this.output = new ChannelOutput(link, id, () -> {});
    this.delivery = Thread.ofVirtual().name("guest-exec-" + id).unstarted(this::deliver);
  }

  /// Called when the guest has started the program.
  void opened() {
    delivery.start();
  }

  int id() {
    return id;
  }

  @Override
  public ChannelOutput output() {
    return output;
  }

  @Override
  public void data(GuestStream stream, byte[] bytes) {
    lock.lock();
    try {
      if (exit == null && failure == null) {
        window.received(bytes.length);
        received.add(stream, bytes);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void exited(GuestExit ended) {
    output.stop("the program in guest %s ended".formatted(link.guest()));
    lock.lock();
    try {
      exit = exit == null ? ended : exit;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void reset() {
    stop(failed("guest %s gave the program up".formatted(link.guest()), null));
  }

  @Override
  public void disconnected(ConnectionEnd reason) {
    stop(reason.exception());
  }

  /// Drops what was not delivered; nothing comes after it.
  ///
  /// @return whether the guest does not know that the channel is over
  boolean stop(GuestException reason) {
    output.stop(reason.problem().toString());
    lock.lock();
    try {
      boolean wasOpen = exit == null && failure == null;
      if (failure == null && !delivered) {
        failure = reason;
        received.clear();
        changed.signalAll();
      }
      return wasOpen;
    } finally {
      lock.unlock();
    }
  }

  /// Ends the program, as its owner or because its sink failed.
  void kill(String why, @Nullable Throwable cause) {
    if (stop(failed(why, cause))) {
      link.sendNow(FrameType.RESET, id, new byte[0]);
    }
  }

  private static GuestException failed(String why, @Nullable Throwable cause) {
    Problem problem = new Problem("the end of a program is unknown", why, "");
    return cause == null
        ? new GuestException(FailureKind.FAILED, problem)
        : new GuestException(FailureKind.FAILED, problem, cause);
  }

  private void deliver() {
    try {
      while (deliverNext()) {
        // The next one.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      kill("its output was refused: " + e, e);
    } finally {
      finish();
    }
  }

  private boolean deliverNext() throws InterruptedException {
    Optional<StreamChunk> chunk = next();
    if (chunk.isEmpty()) {
      return false;
    }
    byte[] bytes = chunk.get().bytes();
    // Noted before: the sink may keep or change its bytes.
    int count = bytes.length;
    sink.output(chunk.get().stream(), bytes);
    ReceiveWindow.sendCredit(link, id, taken(count));
    return true;
  }

  /// Waits for output; empty when none comes any more.
  private Optional<StreamChunk> next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (received.isEmpty() && exit == null && failure == null) {
        changed.await();
      }
      return received.take();
    } finally {
      lock.unlock();
    }
  }

  private int taken(int count) {
    lock.lock();
    try {
      int due = window.taken(count, !received.isEmpty());
      return exit == null && failure == null ? due : 0;
    } finally {
      lock.unlock();
    }
  }

  private void finish() {
    lock.lock();
    try {
      delivered = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    over.run();
  }

  /// Waits until the program ended and its output was taken.
  Optional<GuestExit> awaitExit(long nanos) throws InterruptedException {
    long left = nanos;
    lock.lockInterruptibly();
    try {
      while (!delivered) {
        if (left <= 0) {
          return Optional.empty();
        }
        left = changed.awaitNanos(left);
      }
      if (failure != null) {
        throw new GuestException(failure.kind(), failure.problem(), failure);
      }
      return Optional.ofNullable(exit);
    } finally {
      lock.unlock();
    }
  }

  /// Waits until no call of the sink is under way, and interrupts one that takes long.
  void awaitQuiet(long nanos) throws InterruptedException {
    if (Thread.currentThread().equals(delivery)) {
      return;
    }
    delivery.interrupt();
    long left = nanos;
    lock.lockInterruptibly();
    try {
      while (!delivered && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
