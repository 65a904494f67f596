package dev.berth.vm.guest;

import dev.berth.api.Problem;
import dev.berth.vm.guest.StreamBuffer.StreamChunk;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.model.OutputPosition;
import dev.berth.vm.guest.wire.BodyWriter;
import dev.berth.vm.guest.wire.FrameType;
import dev.berth.vm.guest.wire.ProtocolViolation;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Gives the output of one container, and then its exit, to the listener, on a thread of its own.
final class ContainerDelivery {
  private final GuestLink link;
  private final GuestListener listener;
  private final String container;
  private final IntConsumer taken;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /// Guarded by the lock, as the fields below.
  private final StreamBuffer received = new StreamBuffer();

  private final Map<GuestStream, StreamPosition> positions = new EnumMap<>(GuestStream.class);
  private @Nullable GuestExit exit;
  private boolean stopped;

  /// @param position what the listener has
  /// @param taken is given the number of bytes that left memory
  ContainerDelivery(
      GuestLink link,
      GuestListener listener,
      String container,
      OutputPosition position,
      IntConsumer taken) {
    this.link = link;
    this.listener = listener;
    this.container = container;
    this.taken = taken;
    this.thread = Thread.ofVirtual().name("guest-output-" + container).unstarted(this::deliverAll);
    positions.put(GuestStream.STDOUT, new StreamPosition(position.stdout()));
    positions.put(GuestStream.STDERR, new StreamPosition(position.stderr()));
  }

  void start() {
    thread.start();
  }

  /// Takes output. Does not wait.
  ///
  /// @return false if it was dropped
  boolean output(GuestStream stream, long offset, byte[] bytes) {
    lock.lock();
    try {
      if (exit != null) {
        throw new ProtocolViolation("output of container %s after its exit".formatted(container));
      }
      position(stream).received(container, offset, bytes.length);
      if (stopped) {
        return false;
      }
      received.add(stream, bytes);
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  void exited(GuestExit ended) {
    lock.lock();
    try {
      if (exit != null) {
        throw new ProtocolViolation("a second exit of container %s".formatted(container));
      }
      exit = ended;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Drops what was not delivered. A call that is under way goes on.
  void stop() {
    lock.lock();
    try {
      stopped = true;
      taken.accept(received.clear());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean runsOn(Thread other) {
    return thread.equals(other);
  }

  void awaitQuiet(long deadline) throws InterruptedException {
    if (!Thread.currentThread().equals(thread)) {
      thread.join(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
  }

  private void deliverAll() {
    try {
      Optional<StreamChunk> chunk = next();
      while (chunk.isPresent()) {
        deliver(chunk.get());
        chunk = next();
      }
      deliverExit();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      link.end(
          new ConnectionEnd(
              FailureKind.FAILED,
              new Problem(
                  "the connection to guest %s is over".formatted(link.guest()),
                  "the output of container %s was refused: %s".formatted(container, e),
                  ""),
              e));
    }
  }

  /// Waits for output; empty when none comes any more.
  private Optional<StreamChunk> next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!stopped && received.isEmpty() && exit == null) {
        changed.await();
      }
      return received.take();
    } finally {
      lock.unlock();
    }
  }

  private void deliver(StreamChunk chunk) throws InterruptedException {
    GuestStream stream = chunk.stream();
    int count = chunk.bytes().length;
    try {
      listener.output(container, stream, deliveredTo(stream), chunk.bytes());
    } finally {
      taken.accept(count);
    }
    long position = acknowledged(stream, count);
    if (position >= 0) {
      BodyWriter body =
          new BodyWriter().string(container).u8(ChannelTable.code(stream)).i64(position);
      link.send(FrameType.ACK, 0, body.toBytes());
    }
  }

  private long deliveredTo(GuestStream stream) {
    lock.lock();
    try {
      return position(stream).delivered();
    } finally {
      lock.unlock();
    }
  }

  /// Notes bytes as delivered.
  ///
  /// @return the position to acknowledge now, or -1
  private long acknowledged(GuestStream stream, int count) {
    lock.lock();
    try {
      long position = position(stream).delivered(count, !received.isEmpty());
      return stopped ? -1 : position;
    } finally {
      lock.unlock();
    }
  }

  private StreamPosition position(GuestStream stream) {
    StreamPosition position = positions.get(stream);
    if (position == null) {
      throw new IllegalStateException("no position of " + stream);
    }
    return position;
  }

  private void deliverExit() {
    GuestExit ended;
    lock.lock();
    try {
      ended = stopped ? null : exit;
    } finally {
      lock.unlock();
    }
    if (ended != null) {
      listener.exited(container, ended);
    }
  }
}
