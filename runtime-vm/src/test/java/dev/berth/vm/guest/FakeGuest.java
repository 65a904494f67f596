package dev.berth.vm.guest;

import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.model.OutputPosition;
import dev.berth.vm.guest.wire.BodyReader;
import dev.berth.vm.guest.wire.BodyWriter;
import dev.berth.vm.guest.wire.FrameReader;
import dev.berth.vm.guest.wire.FrameType;
import dev.berth.vm.guest.wire.GuestOperation;
import dev.berth.vm.guest.wire.WireFrame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/// The guest's side of the protocol, one frame at a time, as the test's script wants it: also what
/// no honest guest would send.
final class FakeGuest implements AutoCloseable {
  private final Path socket;
  private final ServerSocketChannel server;
  private final AtomicLong written = new AtomicLong();
  private SocketChannel client;
  private FrameReader frames;

  FakeGuest(Path socket) throws IOException {
    this.socket = socket;
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    client = SocketChannel.open(StandardProtocolFamily.UNIX);
    frames = new FrameReader(client, FrameType.FROM_HOST);
  }

  /// What a client said first.
  @SuppressWarnings("ArrayRecordComponent")
  record ClientHello(byte[] nonce, Map<String, OutputPosition> positions) {}

  /// A request, after its operation.
  record SentRequest(int id, GuestOperation operation, BodyReader body) {}

  /// An agent that is connected to this guest.
  GuestAgent connect(Duration limit, GuestListener listener) throws Exception {
    FutureTask<GuestAgent> connecting =
        GuestCalls.start(() -> GuestAgent.connect(socket, limit, listener));
    welcome();
    return connecting.get();
  }

  /// Takes the next client, up to its `HELLO`.
  ClientHello accept() throws IOException {
    client.close();
    client = server.accept();
    frames = new FrameReader(client, FrameType.FROM_HOST);
    BodyReader body = new BodyReader(body(FrameType.HELLO).payload());
    if (body.u32() != WireFrame.VERSION) {
      throw new AssertionError("another version");
    }
    ByteBuffer nonce = ByteBuffer.allocate(WireFrame.NONCE_BYTES);
    while (nonce.hasRemaining()) {
      nonce.put((byte) body.u8());
    }
    Map<String, OutputPosition> positions = new TreeMap<>();
    body.list(
        1000,
        1,
        entry -> positions.put(entry.name(), new OutputPosition(entry.u64(), entry.u64())));
    body.end();
    return new ClientHello(nonce.array(), positions);
  }

  /// Takes the next client as an honest guest does.
  Map<String, OutputPosition> welcome() throws IOException {
    ClientHello hello = accept();
    welcome(hello.nonce(), WireFrame.VERSION);
    return hello.positions();
  }

  void welcome(byte[] nonce, int version) throws IOException {
    raw(nonce);
    send(FrameType.WELCOME, 0, new BodyWriter().u32(version).string("6.1-fake").i64(1));
  }

  /// The next frame of a type, after others of which the test does not care.
  WireFrame next(FrameType type) throws IOException {
    WireFrame frame = frames.next();
    while (frame.type() != type) {
      frame = frames.next();
    }
    return frame;
  }

  /// The next frame, of whatever type.
  WireFrame next() throws IOException {
    return frames.next();
  }

  /// A body with all its frames.
  private WireFrame body(FrameType type) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    WireFrame frame = next(type);
    body.writeBytes(frame.payload());
    while (frame.more()) {
      frame = next(type);
      body.writeBytes(frame.payload());
    }
    return new WireFrame(type, false, frame.id(), body.toByteArray());
  }

  SentRequest request() throws IOException {
    WireFrame frame = body(FrameType.REQUEST);
    BodyReader body = new BodyReader(frame.payload());
    int code = body.u8();
    GuestOperation operation =
        Stream.of(GuestOperation.values())
            .filter(known -> known.code() == code)
            .findFirst()
            .orElseThrow();
    return new SentRequest(frame.id(), operation, body);
  }

  SentRequest request(GuestOperation operation) throws IOException {
    SentRequest request = request();
    if (request.operation() != operation) {
      throw new AssertionError("%s instead of %s".formatted(request.operation(), operation));
    }
    return request;
  }

  /// Takes a request and answers it without a result.
  int accept(GuestOperation operation) throws IOException {
    int id = request(operation).id();
    answer(id, new BodyWriter());
    return id;
  }

  void answer(int id, BodyWriter result) throws IOException {
    send(FrameType.ANSWER, id, new BodyWriter().u8(0).raw(result.toBytes()));
  }

  void refuse(int id, int status, String why, String remedy) throws IOException {
    send(FrameType.ANSWER, id, new BodyWriter().u8(status).string(why).string(remedy));
  }

  void output(String container, GuestStream stream, long offset, String text) throws IOException {
    output(container, stream, offset, text.getBytes(StandardCharsets.UTF_8));
  }

  void output(String container, GuestStream stream, long offset, byte[] bytes) throws IOException {
    send(
        FrameType.OUTPUT,
        0,
        new BodyWriter().string(container).u8(ChannelTable.code(stream)).i64(offset).raw(bytes));
  }

  void data(int channel, GuestStream stream, byte[] bytes) throws IOException {
    send(FrameType.DATA, channel, new BodyWriter().u8(ChannelTable.code(stream)).raw(bytes));
  }

  void data(int channel, GuestStream stream, String text) throws IOException {
    data(channel, stream, text.getBytes(StandardCharsets.UTF_8));
  }

  /// @param channel of a program, or 0 for a container
  void exited(int channel, String container, int code) throws IOException {
    BodyWriter exit = new BodyWriter().i32(code).i32(0).bool(false).time(Instant.EPOCH);
    if (channel == 0) {
      send(FrameType.EXITED, 0, new BodyWriter().string(container).raw(exit.toBytes()));
    } else {
      send(FrameType.EXIT, channel, exit);
    }
  }

  static GuestExit exit(int code) {
    return new GuestExit(code, 0, false, Instant.EPOCH);
  }

  void send(FrameType type, int id, BodyWriter body) throws IOException {
    raw(WireFrame.encode(type, id, body.toBytes()));
  }

  void raw(byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      client.write(buffer);
    }
    written.addAndGet(bytes.length);
  }

  /// How much was written so far.
  long written() {
    return written.get();
  }

  /// Ends the conversation, as a guest that stops.
  void hangUp() throws IOException {
    client.close();
  }

  @Override
  public void close() throws IOException {
    client.close();
    server.close();
  }
}
