package dev.berth.vm.guest;

import dev.berth.api.Problem;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.wire.BodyReader;
import dev.berth.vm.guest.wire.FrameReader;
import dev.berth.vm.guest.wire.FrameType;
import dev.berth.vm.guest.wire.ProtocolViolation;
import dev.berth.vm.guest.wire.WireFrame;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/// One connection to a guest: its socket, the thread that reads and the one that writes.
///
/// The thread that reads never waits for the guest to read, and for the listener only while the
/// bound of undelivered output is reached.
final class AgentConnection implements GuestLink {
  /// More than the guest and QEMU can have under way for a former client.
  private static final int MOST_BEFORE_NONCE = 1 << 20;

  private static final int RELEASE_BYTES = 200;

  private final ConnectionSetup setup;
  private final SocketChannel socket;
  private final boolean completing;
  private final FrameReader frames;
  private final FrameQueue queue = new FrameQueue();
  private final PendingRequests requests;
  private final ChannelTable channels = new ChannelTable();
  private final ContainerOutputs outputs;
  private final AtomicReference<Optional<ConnectionEnd>> end =
      new AtomicReference<>(Optional.empty());
  private final CountDownLatch settled = new CountDownLatch(1);
  private final CountDownLatch quiet = new CountDownLatch(1);
  private final Thread reader;
  private final Thread writer;

  private volatile boolean welcomed;

  /// One attempt to connect.
  ///
  /// @param completing whether the guest may have a part of a frame of a former client
  AgentConnection(ConnectionSetup setup, SocketChannel socket, boolean completing) {
    this.setup = setup;
    this.socket = socket;
    this.completing = completing;
    this.frames = new FrameReader(socket, FrameType.FROM_GUEST);
    this.requests = new PendingRequests(queue, setup.guest(), setup.limit());
    this.outputs = new ContainerOutputs(this, setup.listener(), setup.positions());
    this.reader = Thread.ofVirtual().name("guest-reader-" + setup.guest()).unstarted(this::read);
    this.writer = Thread.ofVirtual().name("guest-writer-" + setup.guest()).unstarted(this::write);
  }

  /// Connects and waits for the guest's welcome.
  ///
  /// @return false if it did not come, and another attempt may have more luck
  /// @throws GuestException if no other attempt will
  boolean open(Duration attempt) throws InterruptedException {
    reader.start();
    if (!settled.await(attempt.toNanos(), TimeUnit.NANOSECONDS)) {
      end(
          new ConnectionEnd(
              FailureKind.TIMEOUT,
              new Problem(
                  "the connection to guest %s is over".formatted(guest()),
                  "it did not answer within %s".formatted(attempt),
                  ""),
              null));
      settled.await();
    }
    Optional<ConnectionEnd> reason = end.get();
    if (!welcomed && reason.isPresent() && isFinal(reason.get().kind())) {
      throw reason.get().exception();
    }
    return welcomed;
  }

  private static boolean isFinal(FailureKind kind) {
    return kind == FailureKind.HOSTILE || kind == FailureKind.FAILED;
  }

  Optional<ConnectionEnd> ended() {
    return end.get();
  }

  @Override
  public String guest() {
    return setup.guest();
  }

  ChannelTable channels() {
    return channels;
  }

  ContainerOutputs outputs() {
    return outputs;
  }

  /// Sends a request and takes its result apart.
  <T> T call(GuestRequest request, Function<BodyReader, T> parser) {
    BodyReader body = requests.call(request);
    try {
      T result = parser.apply(body);
      body.end();
      return result;
    } catch (ProtocolViolation e) {
      ConnectionEnd reason = ConnectionEnd.hostile(guest(), e);
      end(reason);
      throw reason.exception();
    }
  }

  private void read() {
    try {
      socket.connect(UnixDomainSocketAddress.of(setup.socket()));
      byte[] nonce = setup.nonce();
      queue.putNow(setup.opening(nonce, completing));
      writer.start();
      frames.skipTo(nonce, MOST_BEFORE_NONCE);
      welcome(frames.next());
      while (end.get().isEmpty()) {
        dispatch(frames.next());
      }
    } catch (ProtocolViolation | ArithmeticException e) {
      end(ConnectionEnd.hostile(guest(), e));
    } catch (InterruptedException e) {
      end(ConnectionEnd.closed(guest()));
    } catch (IOException | RuntimeException | Error e) {
      end(ConnectionEnd.lost(guest(), e));
    } finally {
      finish();
    }
  }

  private void welcome(WireFrame frame) {
    BodyReader body = new BodyReader(frame.payload());
    if (frame.type() != FrameType.WELCOME) {
      throw new ProtocolViolation("%s where WELCOME comes".formatted(frame.type()));
    }
    long version = body.u32();
    String release = body.text(RELEASE_BYTES);
    body.i64();
    body.end();
    if (version == WireFrame.VERSION) {
      welcomed = true;
      settled.countDown();
    } else {
      end(
          new ConnectionEnd(
              FailureKind.FAILED,
              new Problem(
                  "the connection to guest %s is over".formatted(guest()),
                  "its program on Linux %s speaks version %d of the protocol, this service %d"
                      .formatted(release, version, WireFrame.VERSION),
                  "Delete the pod: a new one starts with the program of this service"),
              null));
    }
  }

  private void dispatch(WireFrame frame) throws InterruptedException {
    switch (frame.type()) {
      case ANSWER -> requests.answer(frame);
      case DATA, CREDIT, END, RESET, EXIT -> {
        if (!requests.wasSent(frame.id())) {
          throw new ProtocolViolation(
              "%s of channel %s, which nobody asked for"
                  .formatted(frame.type(), Integer.toUnsignedString(frame.id())));
        }
        channels.frame(frame);
      }
      case OUTPUT -> outputs.output(frame.payload());
      case EXITED -> outputs.exited(frame.payload());
      case WELCOME, HELLO, REQUEST, ACK ->
          throw new ProtocolViolation("%s in a conversation".formatted(frame.type()));
    }
  }

  private void write() {
    try {
      Optional<byte[]> next = queue.take();
      while (next.isPresent()) {
        ByteBuffer bytes = ByteBuffer.wrap(next.get());
        while (bytes.hasRemaining()) {
          socket.write(bytes);
        }
        next = queue.take();
      }
    } catch (InterruptedException e) {
      end(ConnectionEnd.closed(guest()));
    } catch (IOException e) {
      end(ConnectionEnd.lost(guest(), e));
    }
  }

  @Override
  public void send(FrameType type, int id, byte[] body) throws InterruptedException {
    queue.put(WireFrame.encode(type, id, body), FrameQueue.never());
  }

  @Override
  public void sendNow(FrameType type, int id, byte[] body) {
    queue.putNow(WireFrame.encode(type, id, body));
  }

  @Override
  public void end(ConnectionEnd reason) {
    if (!end.compareAndSet(Optional.empty(), Optional.of(reason))) {
      return;
    }
    queue.close();
    requests.end(reason);
    channels.end(reason);
    outputs.end(reason);
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing of the socket is used any more.
    }
    reader.interrupt();
  }

  /// The last thing of the thread that reads.
  private void finish() {
    long deadline = System.nanoTime() + setup.limit().toNanos();
    while (!isQuiet(deadline)) {
      // `end` interrupts this thread once, before or after it came here.
    }
    quiet.countDown();
    settled.countDown();
    if (welcomed) {
      end.get().ifPresent(reason -> setup.listener().disconnected(reason.problem()));
    }
  }

  private boolean isQuiet(long deadline) {
    try {
      outputs.awaitQuiet(deadline);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /// Ends the connection, and waits until no call of the listener with output is under way: then
  /// the positions of the next connection are final.
  void close() {
    end(ConnectionEnd.closed(guest()));
    Thread current = Thread.currentThread();
    if (current.equals(reader) || outputs.isDelivering(current)) {
      return;
    }
    try {
      quiet.await(2 * setup.limit().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      current.interrupt();
    }
  }
}
