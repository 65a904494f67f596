package dev.berth.vm.guest;

import static dev.berth.vm.guest.ContainerRecipe.script;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestException.FailureKind;
import dev.berth.vm.guest.model.GuestExec;
import dev.berth.vm.guest.model.GuestExit;
import dev.berth.vm.guest.model.GuestStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The real guest program in QEMU: programs in running containers, connections, and output across
/// connections to the guest.
@Timeout(300)
final class GuestStreamsIT {
  private static final Duration LIMIT = TestMachine.LIMIT;

  private final KeptOutput kept = new KeptOutput();
  private TestMachine machine;
  private ContainerRecipe container;

  /// Output of a program, by stream.
  private static final class KeptOutput implements OutputSink {
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();

    @Override
    public synchronized void output(GuestStream stream, byte[] bytes) {
      (stream == GuestStream.STDOUT ? stdout : stderr).writeBytes(bytes);
    }

    synchronized String text() {
      return stdout.toString(UTF_8);
    }

    synchronized String errors() {
      return stderr.toString(UTF_8);
    }
  }

  @BeforeEach
  void start() {
    machine = TestMachine.shared();
    container = script(machine, "echo up; exec sleep 100000").environment("FROM=container").start();
    container.awaitOutput("up");
  }

  @AfterEach
  void remove() {
    container.remove();
    assertThat(machine.listener().gaps()).isEmpty();
  }

  @Test
  void aProgramRunsInTheContainer() throws Exception {
    try (GuestProcess process = exec("ps; echo $FROM; echo bad >&2; exit 9")) {
      assertThat(exit(process).code()).isEqualTo(9);
      assertThat(kept.text()).contains("sleep 100000").endsWith("container\n");
      assertThat(kept.errors()).isEqualTo("bad\n");
    }
    refused(FailureKind.INVALID, () -> exec(List.of("/bin/absent"), false, false));
    refused(
        FailureKind.NOT_FOUND,
        () -> machine.agent().exec(new GuestExec("nobody", List.of("ps"), false, false), kept));
  }

  @Test
  void aProgramReadsItsInputToTheEnd() throws Exception {
    try (GuestProcess process = exec(List.of("/bin/sh", "-c", "wc -c; echo end"), false, true)) {
      byte[] input = new byte[300_000];
      process.input().write(input);
      process.input().close();
      assertThat(exit(process).code()).isZero();
      assertThat(kept.text()).isEqualTo("300000\nend\n");
    }
    KeptOutput none = new KeptOutput();
    try (GuestProcess process =
        machine
            .agent()
            .exec(new GuestExec(container.id(), List.of("/bin/cat"), false, false), none)) {
      process.input().write(1);
      assertThat(exit(process).code()).isZero();
    }
  }

  @Test
  void aTerminalHasItsSizeAndControlCharacters() throws Exception {
    try (GuestProcess process =
        exec(List.of("/bin/sh", "-c", "tty; read x; stty size; cat; echo over"), true, true)) {
      RecordingListener.await("the terminal", () -> kept.text().contains("/dev/pts/"));
      process.resize(132, 43);
      process.input().write("\n".getBytes(UTF_8));
      RecordingListener.await("the size", () -> kept.text().contains("43 132\r\n"));
      process.input().write("line\n".getBytes(UTF_8));
      process.input().close();
      assertThat(exit(process).code()).isZero();
      assertThat(kept.text()).contains("line\r\nline\r\n").endsWith("over\r\n");
      process.resize(1, 1);
    }
    KeptOutput second = new KeptOutput();
    try (GuestProcess process =
        machine
            .agent()
            .exec(
                new GuestExec(container.id(), List.of("/bin/sleep", "1000"), true, true), second)) {
      process.input().write(3);
      assertThat(exit(process).signal()).isEqualTo(2);
    }
  }

  @Test
  void aSlowReaderHoldsUpItsProgramAndNobodyElse() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    OutputSink slow =
        (stream, bytes) -> {
          GuestCalls.await(free);
          kept.output(stream, bytes);
        };
    GuestExec program =
        new GuestExec(
            container.id(),
            List.of("/bin/sh", "-c", "seq 1 60000; echo all > /written; echo end >&2"),
            false,
            false);
    try (GuestProcess process = machine.agent().exec(program, slow)) {
      assertThat(process.exit(Duration.ofMillis(500))).isEmpty();
      assertThat(script(machine, "echo quick").run()).isEqualTo("quick\n");
      KeptOutput other = new KeptOutput();
      try (GuestProcess look =
          machine
              .agent()
              .exec(new GuestExec(container.id(), List.of("/bin/ls", "/"), false, false), other)) {
        assertThat(exit(look).code()).isZero();
        assertThat(other.text()).doesNotContain("written");
      }
      free.countDown();
      assertThat(exit(process).code()).isZero();
      assertThat(kept.text()).startsWith("1\n2\n").endsWith("59999\n60000\n").hasSize(348_894);
      assertThat(kept.errors()).isEqualTo("end\n");
    }
  }

  @Test
  void aProgramThatIsClosedOrSignalledEnds() throws Exception {
    GuestProcess closed = exec("echo up; exec sleep 2002");
    RecordingListener.await("the program", () -> kept.text().contains("up"));
    closed.close();
    try (GuestProcess signalled = exec("exec sleep 2003")) {
      signalled.signal(15);
      GuestExit exit = exit(signalled);
      assertThat(exit.code()).isEqualTo(143);
      assertThat(exit.signal()).isEqualTo(15);
      signalled.signal(15);
    }
    RecordingListener.await("the end of the closed one", () -> !processes().contains("sleep 2002"));
  }

  private String processes() {
    KeptOutput output = new KeptOutput();
    try (GuestProcess ps =
        machine
            .agent()
            .exec(new GuestExec(container.id(), List.of("/bin/ps"), false, false), output)) {
      exit(ps);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return output.text();
  }

  @Test
  void aContainerThatEndsTakesItsProgramsAlong() throws Exception {
    try (GuestProcess process = exec("echo up; sleep 1000")) {
      RecordingListener.await("the program", () -> kept.text().contains("up"));
      machine.agent().signal(container.id(), 9);
      assertThat(exit(process).signal()).isEqualTo(9);
      refused(FailureKind.WRONG_STATE, () -> exec("true"));
    }
  }

  @Test
  void outputAcrossConnectionsIsNeitherLostNorRepeated() throws Exception {
    ContainerRecipe writer =
        script(machine, "seq 1 40000; echo up >&2; seq 40001 60000; echo end >&2").start();
    for (int size = 0; size < 300_000; size += 60_000) {
      int wanted = size;
      RecordingListener.await(
          "output", () -> machine.listener().size(writer.id(), GuestStream.STDOUT) > wanted);
      machine.connect();
    }
    assertThat(writer.awaitExit().code()).isZero();
    StringBuilder expected = new StringBuilder();
    for (int i = 1; i <= 60000; i++) {
      expected.append(i).append('\n');
    }
    assertThat(writer.output()).isEqualTo(expected.toString());
    assertThat(writer.errors()).isEqualTo("up\nend\n");
    writer.remove();
  }

  @Test
  void exitsAreReportedAgainAndProgramsOfTheFormerClientAreKilled() throws Exception {
    ContainerRecipe ended = script(machine, "exit 4").start();
    ended.awaitExit();
    GuestProcess process = exec("echo up; exec sleep 3003");
    RecordingListener.await("the program", () -> kept.text().contains("up"));
    RecordingListener second = new RecordingListener();
    machine.agent().close();
    refused(FailureKind.DISCONNECTED, () -> process.exit(LIMIT));
    try (GuestAgent other = GuestAgent.connect(machine.socket(), LIMIT, second)) {
      assertThat(second.awaitExit(ended.id()).code()).isEqualTo(4);
      assertThat(other.list()).isNotEmpty();
    }
    machine.connect();
    RecordingListener.await("the end of the program", () -> !processes().contains("sleep 3003"));
    assertThat(processes()).contains("sleep 100000");
    ended.remove();
  }

  @Test
  void aListenerThatTakesNothingStopsTheProgramAndLosesNothing() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    ContainerRecipe writer = script(machine, "seq 1 60000; echo all >&2");
    machine
        .listener()
        .onOutput(
            () -> {
              if (Thread.currentThread().getName().endsWith(writer.id())) {
                GuestCalls.await(free);
              }
            });
    writer.start();
    assertThat(script(machine, "echo quick").run()).isEqualTo("quick\n");
    assertThat(machine.listener().exit(writer.id())).isEmpty();
    free.countDown();
    machine.listener().onOutput(() -> {});
    assertThat(writer.awaitExit().code()).isZero();
    assertThat(writer.output()).hasSize(348_894).endsWith("60000\n");
    writer.remove();
  }

  @Test
  void aPortOfTheGuestIsReached() throws Exception {
    ContainerRecipe server =
        script(machine, "echo up; nc -l -p 8099 -e sh -c 'read a; echo \"got $a\"; cat | wc -c'")
            .start();
    server.awaitOutput("up");
    try (GuestConnection connection = connectTo(8099)) {
      connection.output().write("hello\n".getBytes(UTF_8));
      byte[] answer = new byte[10];
      assertThat(connection.input().readNBytes(answer, 0, 10)).isEqualTo(10);
      assertThat(new String(answer, UTF_8)).isEqualTo("got hello\n");
      connection.output().write(new byte[200_000]);
      connection.output().close();
      assertThat(new String(connection.input().readAllBytes(), UTF_8).strip()).isEqualTo("200000");
    }
    server.awaitExit();
    server.remove();
    refused(FailureKind.NOT_FOUND, () -> machine.agent().connect(8098));
  }

  /// The program says that it is up before it listens.
  private GuestConnection connectTo(int port) {
    Optional<GuestConnection> connection = Optional.empty();
    long end = System.nanoTime() + LIMIT.toNanos();
    while (connection.isEmpty()) {
      try {
        connection = Optional.of(machine.agent().connect(port));
      } catch (GuestException e) {
        if (e.kind() != FailureKind.NOT_FOUND || System.nanoTime() > end) {
          throw e;
        }
      }
    }
    return connection.get();
  }

  @Test
  void aConnectionWithoutReaderHoldsUpNobody() throws Exception {
    ContainerRecipe server = script(machine, "nc -l -p 8100 -e seq 1 200000").start();
    try (GuestConnection connection = connectTo(8100)) {
      assertThat(script(machine, "echo quick").run()).isEqualTo("quick\n");
      FutureTask<byte[]> all = GuestCalls.start(() -> connection.input().readAllBytes());
      assertThat(all.get()).hasSize(1_288_895);
    }
    server.remove();
  }

  @Test
  void aClosedConnectionFailsItsReader() throws Exception {
    ContainerRecipe server = script(machine, "nc -l -p 8101 -e sleep 1000").start();
    GuestConnection connection = connectTo(8101);
    FutureTask<Integer> read = GuestCalls.start(() -> connection.input().read());
    connection.close();
    assertThatThrownBy(read::get).hasRootCauseInstanceOf(IOException.class);
    server.remove();
  }

  private GuestProcess exec(String script) {
    return exec(List.of("/bin/sh", "-c", script), false, false);
  }

  private GuestProcess exec(List<String> args, boolean tty, boolean stdin) {
    return machine.agent().exec(new GuestExec(container.id(), args, tty, stdin), kept);
  }

  private static GuestExit exit(GuestProcess process) throws InterruptedException {
    return process.exit(LIMIT).orElseThrow();
  }

  private static void refused(FailureKind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(GuestException.class))
        .extracting(GuestException::kind)
        .isEqualTo(kind);
  }
}
