package dev.berth.vm.guest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.vm.guest.FakeGuest.SentRequest;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.model.GuestExec;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.wire.BodyReader;
import dev.berth.vm.guest.wire.BodyWriter;
import dev.berth.vm.guest.wire.FrameType;
import dev.berth.vm.guest.wire.GuestOperation;
import dev.berth.vm.guest.wire.WireFrame;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Programs, standard input and connections, against a guest of the test.
@Timeout(120)
final class GuestChannelIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private final RecordingListener listener = new RecordingListener();

  /// What the sink got; guarded by this object.
  private final StringBuilder output = new StringBuilder();

  private FakeGuest guest;
  private GuestAgent agent;

  @BeforeEach
  void connect() throws Exception {
    guest = new FakeGuest(directory.resolve("agent.sock"));
    agent = guest.connect(LIMIT, listener);
  }

  @AfterEach
  void close() throws Exception {
    agent.close();
    guest.close();
  }

  @Test
  void aProgramsOutputComesBeforeItsExit() throws Exception {
    GuestProcess process = exec(this::keep);
    guest.data(1, GuestStream.STDOUT, "out");
    assertThat(credit()).isEqualTo(3);
    guest.data(1, GuestStream.STDERR, "err");
    assertThat(credit()).isEqualTo(3);
    guest.exited(1, "", 7);
    assertThat(process.exit(LIMIT)).contains(FakeGuest.exit(7));
    assertThat(output()).isEqualTo("STDOUT:out STDERR:err ");
    process.close();
    assertThat(listener.ends()).isEmpty();
  }

  @Test
  void aSlowSinkHoldsUpItsProgramAlone() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    GuestProcess process =
        exec(
            (stream, bytes) -> {
              GuestCalls.await(free);
              keep(stream, bytes);
            });
    byte[] piece = new byte[16383];
    for (int i = 0; i < 4; i++) {
      guest.data(1, GuestStream.STDOUT, piece);
    }
    guest.data(1, GuestStream.STDERR, "1234");
    guest.exited(1, "", 0);
    FutureTask<Boolean> start = GuestCalls.run(() -> agent.start("b"));
    guest.accept(GuestOperation.START);
    start.get();
    assertThat(process.exit(Duration.ofMillis(50))).isEmpty();
    free.countDown();
    assertThat(process.exit(LIMIT)).contains(FakeGuest.exit(0));
    assertThat(output()).hasSize(4 * 16383 + "STDOUT: STDOUT: STDERR:1234 ".length());
  }

  @Test
  void outputBeyondTheCreditEndsTheConnection() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    exec((_, _) -> GuestCalls.await(free));
    for (int i = 0; i < 4; i++) {
      guest.data(1, GuestStream.STDOUT, new byte[16383]);
    }
    guest.data(1, GuestStream.STDOUT, new byte[5]);
    assertThat(listener.awaitEnd().why())
        .isEqualTo("it broke the protocol: 5 bytes of data where 4 were allowed");
    free.countDown();
  }

  @Test
  void aSinkThatFailsKillsTheProgram() throws Exception {
    GuestProcess process =
        exec(
            (_, _) -> {
              throw new IllegalStateException("client gone");
            });
    guest.data(1, GuestStream.STDOUT, "x");
    assertThat(guest.next(FrameType.RESET).id()).isEqualTo(1);
    assertThat(GuestCalls.failure(GuestCalls.start(() -> process.exit(LIMIT))))
        .hasMessageContaining("client gone");
    assertThat(listener.ends()).isEmpty();
  }

  @Test
  void closingAProgramKillsItAndStopsItsOutput() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    GuestProcess process =
        exec(
            (_, _) -> {
              called.countDown();
              GuestCalls.await(new CountDownLatch(1));
            });
    guest.data(1, GuestStream.STDOUT, "x");
    called.await();
    // The call of the sink is interrupted: it would never return.
    process.close();
    assertThat(guest.next(FrameType.RESET).id()).isEqualTo(1);
    guest.data(1, GuestStream.STDOUT, "late");
    guest.exited(1, "", 137);
    FutureTask<Boolean> start = GuestCalls.run(() -> agent.start("b"));
    guest.accept(GuestOperation.START);
    start.get();
    assertThat(output()).isEmpty();
  }

  @Test
  void inputWaitsForCredit() throws Exception {
    GuestProcess process = exec(this::keep);
    FutureTask<Boolean> write = write(process.input(), 40_000);
    int received = 0;
    while (received < 32768) {
      received += guest.next(FrameType.DATA).payload().length - 1;
    }
    assertThat(received).isEqualTo(32768);
    assertThat(write.isDone()).isFalse();
    guest.send(FrameType.CREDIT, 1, new BodyWriter().u32(32768));
    while (received < 40_000) {
      received += guest.next(FrameType.DATA).payload().length - 1;
    }
    write.get();
    process.input().close();
    assertThat(guest.next().type()).isEqualTo(FrameType.END);
  }

  @Test
  void closingEndsAWriteThatWaits() throws Exception {
    GuestProcess process = exec(this::keep);
    FutureTask<Boolean> write = write(process.input(), 40_000);
    for (int received = 0; received < 32768; ) {
      received += guest.next(FrameType.DATA).payload().length - 1;
    }
    process.input().close();
    assertThat(guest.next().type()).isEqualTo(FrameType.END);
    assertThatThrownBy(write::get).hasRootCauseInstanceOf(IOException.class);
  }

  @Test
  void containerInputIsOverWhenTheGuestSaysSo() throws Exception {
    FutureTask<OutputStream> opening = GuestCalls.start(() -> agent.input("a"));
    int channel = guest.accept(GuestOperation.INPUT);
    OutputStream input = opening.get();
    input.write("hello".getBytes(UTF_8));
    assertThat(text(guest.next(FrameType.DATA))).isEqualTo("hello");
    guest.send(FrameType.RESET, channel, new BodyWriter());
    FutureTask<Boolean> write = write(input, 1_000_000);
    assertThatThrownBy(write::get).hasRootCauseMessage("the program takes no input any more");
  }

  @Test
  void aConnectionCarriesBytesBothWays() throws Exception {
    GuestConnection connection = connectTo(8080);
    connection.output().write("ping".getBytes(UTF_8));
    assertThat(text(guest.next(FrameType.DATA))).isEqualTo("ping");
    connection.output().close();
    assertThat(guest.next().type()).isEqualTo(FrameType.END);
    guest.data(1, GuestStream.STDOUT, "pong");
    guest.send(FrameType.END, 1, new BodyWriter());
    assertThat(connection.input().readAllBytes()).isEqualTo("pong".getBytes(UTF_8));
    connection.close();
    assertThat(listener.ends()).isEmpty();
  }

  @Test
  void aConnectionThatIsResetOrClosedFails() throws Exception {
    GuestConnection connection = connectTo(8080);
    guest.data(1, GuestStream.STDOUT, "last");
    guest.send(FrameType.RESET, 1, new BodyWriter());
    assertThat(connection.input().readNBytes(4)).isEqualTo("last".getBytes(UTF_8));
    assertThatThrownBy(() -> connection.input().read()).isInstanceOf(IOException.class);

    GuestConnection second = connectTo(8081);
    FutureTask<Integer> read = GuestCalls.start(() -> second.input().read());
    second.close();
    assertThatThrownBy(read::get).hasRootCauseMessage("the connection was closed");
    assertThat(guest.next(FrameType.RESET).id()).isEqualTo(2);
  }

  @Test
  void aPortWithoutListenerIsNotFound() throws Exception {
    FutureTask<GuestConnection> connecting = GuestCalls.start(() -> agent.connect(81));
    SentRequest request = guest.request(GuestOperation.CONNECT);
    assertThat(request.body().u16()).isEqualTo(81);
    guest.refuse(request.id(), 1, "nobody listens", "");
    assertThat(GuestCalls.failure(connecting).kind()).isEqualTo(FailureKind.NOT_FOUND);
  }

  @Test
  void openChannelsAreBoundedAndAClosedOneMakesRoom() throws Exception {
    List<GuestConnection> open = new ArrayList<>();
    for (int i = 0; i < ChannelTable.MAXIMUM; i++) {
      open.add(connectTo(80));
    }
    assertThat(GuestCalls.failure(GuestCalls.start(() -> agent.connect(80))))
        .hasMessageContaining("32 programs and connections of this pod are open");
    open.removeLast().close();
    connectTo(80);
    agent.close();
    assertThatThrownBy(() -> open.getFirst().input().read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("this service closed it");
  }

  private GuestProcess exec(OutputSink sink) throws Exception {
    GuestExec program = new GuestExec("a", List.of("sh"), false, true);
    FutureTask<GuestProcess> exec = GuestCalls.start(() -> agent.exec(program, sink));
    guest.accept(GuestOperation.EXEC);
    return exec.get();
  }

  private GuestConnection connectTo(int port) throws Exception {
    FutureTask<GuestConnection> connecting = GuestCalls.start(() -> agent.connect(port));
    guest.accept(GuestOperation.CONNECT);
    return connecting.get();
  }

  private synchronized void keep(GuestStream stream, byte[] bytes) {
    output.append(stream).append(':').append(new String(bytes, UTF_8)).append(' ');
  }

  private synchronized String output() {
    return output.toString();
  }

  private long credit() throws IOException {
    return new BodyReader(guest.next(FrameType.CREDIT).payload()).u32();
  }

  private static String text(WireFrame data) {
    return new String(data.payload(), 1, data.payload().length - 1, UTF_8);
  }

  private static FutureTask<Boolean> write(OutputStream stream, int bytes) {
    return GuestCalls.start(
        () -> {
          stream.write(new byte[bytes]);
          return true;
        });
  }
}
