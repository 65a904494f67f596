package dev.berth.vm.guest;

import static dev.berth.vm.guest.ContainerRecipe.script;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.vm.guest.model.GuestContainer;
import dev.berth.vm.guest.wire.BodyWriter;
import dev.berth.vm.guest.wire.ContainerBody;
import dev.berth.vm.guest.wire.FrameReader;
import dev.berth.vm.guest.wire.FrameType;
import dev.berth.vm.guest.wire.GuestOperation;
import dev.berth.vm.guest.wire.WireFrame;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The real guest program in QEMU, and a client that does not keep to the protocol or stops
/// halfway: the next client finds everything in order.
@Timeout(300)
final class GuestPortIT {
  private final Random random = new Random(11);
  private TestMachine machine;
  private ContainerRecipe container;

  @BeforeEach
  void start() {
    machine = TestMachine.shared();
    container = script(machine, "echo up; exec sleep 100000").start();
    container.awaitOutput("up");
    machine.agent().close();
  }

  @AfterEach
  void theNextClientFindsEverythingInOrder() {
    assertThat(machine.runs()).isTrue();
    machine.connect();
    assertThat(machine.agent().list()).anyMatch(state -> state.id().equals(container.id()));
    assertThat(script(machine, "echo fine").run()).isEqualTo("fine\n");
    container.remove();
  }

  @Test
  void aClientThatStopsWithinAFrame() throws Exception {
    byte[] frame = request(1, create());
    for (int length : List.of(1, 15, 16, 17, frame.length - 1)) {
      try (RawClient client = greeted()) {
        client.write(Arrays.copyOf(frame, length));
      }
    }
  }

  @Test
  void aClientThatSendsGarbage() throws Exception {
    try (RawClient client = connected()) {
      byte[] garbage = new byte[100_000];
      random.nextBytes(garbage);
      client.write(garbage);
    }
    for (int field = 0; field < 16; field++) {
      try (RawClient client = greeted()) {
        byte[] frame = request(1, create());
        frame[field] ^= (byte) 0x81;
        client.write(frame);
        client.write(request(2, new BodyWriter().u8(GuestOperation.LIST.code())));
      }
    }
  }

  /// Bodies whose checksum is right and whose values are not: each is answered.
  @Test
  void aClientThatSendsDamagedBodies() throws Exception {
    try (RawClient client = greeted()) {
      byte[] whole = create().toBytes();
      for (int id = 1; id <= 150; id++) {
        byte[] body = whole.clone();
        for (int damages = random.nextInt(4); damages >= 0; damages--) {
          body[1 + random.nextInt(body.length - 1)] = (byte) random.nextInt(256);
        }
        // Often another operation that takes the bytes for something else, but never the last one,
        // which stops the machine.
        body[0] = (byte) random.nextInt(GuestOperation.SHUTDOWN.code());
        if (body[0] == GuestOperation.CONFIGURE.code()) {
          body[0] = (byte) GuestOperation.CREATE.code();
        }
        int length = random.nextBoolean() ? body.length : 1 + random.nextInt(body.length - 1);
        client.write(WireFrame.encode(FrameType.REQUEST, id, Arrays.copyOf(body, length)));
        client.awaitAnswer(id);
      }
    }
  }

  @Test
  void aClientThatUsesChannelsThatAreNotThere() throws Exception {
    try (RawClient client = greeted()) {
      for (int channel : List.of(1, 7, -1, Integer.MIN_VALUE)) {
        client.write(WireFrame.encode(FrameType.DATA, channel, new byte[1000]));
        client.write(WireFrame.encode(FrameType.DATA, channel, new byte[0]));
        client.write(WireFrame.encode(FrameType.CREDIT, channel, new byte[] {-1, -1, -1, -1}));
        client.write(WireFrame.encode(FrameType.CREDIT, channel, new byte[1]));
        client.write(WireFrame.encode(FrameType.END, channel, new byte[0]));
        client.write(WireFrame.encode(FrameType.RESET, channel, new byte[0]));
      }
      client.write(acknowledgement(container.id(), Long.MAX_VALUE));
      client.write(acknowledgement(container.id(), 2));
      client.write(acknowledgement("nobody", 1));
      client.write(WireFrame.encode(FrameType.ACK, 0, new byte[3]));
      client.write(request(9, new BodyWriter().u8(GuestOperation.PING.code())));
      client.awaitAnswer(9);
    }
  }

  @Test
  void aClientThatDoesNotRead() throws Exception {
    try (RawClient client = greeted()) {
      byte[] list = request(1, new BodyWriter().u8(GuestOperation.LIST.code()));
      ByteBuffer requests = ByteBuffer.allocate(list.length * 1000);
      for (int id = 1; id <= 1000; id++) {
        requests.put(request(id, new BodyWriter().u8(GuestOperation.LIST.code())));
      }
      client.channel.configureBlocking(false);
      requests.flip();
      // As much as the guest takes while nobody reads its answers.
      for (int tries = 0; tries < 1000 && requests.hasRemaining(); tries++) {
        client.channel.write(requests);
      }
    }
  }

  private BodyWriter create() {
    BodyWriter body = new BodyWriter().u8(GuestOperation.CREATE.code());
    ContainerBody.container(
        body, GuestContainer.of("damaged", "image0", List.of("/bin/sh", "-c", "true")));
    return body;
  }

  private static byte[] request(int id, BodyWriter body) {
    return WireFrame.encode(FrameType.REQUEST, id, body.toBytes());
  }

  private static byte[] acknowledgement(String container, long offset) {
    BodyWriter body = new BodyWriter().string(container).u8(0).i64(offset);
    return WireFrame.encode(FrameType.ACK, 0, body.toBytes());
  }

  private RawClient connected() throws IOException {
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(machine.socket()));
    return new RawClient(channel, new FrameReader(channel, FrameType.FROM_GUEST));
  }

  /// A client that the guest has welcomed.
  private RawClient greeted() throws IOException {
    RawClient client = connected();
    byte[] nonce = new byte[WireFrame.NONCE_BYTES];
    random.nextBytes(nonce);
    BodyWriter hello = new BodyWriter().u32(WireFrame.VERSION).raw(nonce).u32(0);
    client.write(WireFrame.opening(hello.toBytes(), true));
    client.frames.skipTo(nonce, 1 << 20);
    assertThat(client.frames.next().type()).isEqualTo(FrameType.WELCOME);
    return client;
  }

  /// A client that sends what the test wants.
  private record RawClient(SocketChannel channel, FrameReader frames) implements AutoCloseable {
    void write(byte[] bytes) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }

    void awaitAnswer(int id) throws IOException {
      WireFrame answer = frames.next();
      while (answer.type() != FrameType.ANSWER || answer.id() != id) {
        answer = frames.next();
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
