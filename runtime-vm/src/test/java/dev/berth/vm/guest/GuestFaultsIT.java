package dev.berth.vm.guest;

import static dev.berth.vm.guest.ContainerRecipe.script;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.vm.guest.model.GuestContainer.PidNamespace;
import dev.berth.vm.guest.model.GuestException;
import dev.berth.vm.guest.model.GuestExec;
import dev.berth.vm.guest.model.GuestLimits;
import dev.berth.vm.guest.model.GuestMount.GuestOwner;
import dev.berth.vm.guest.model.GuestMount.MountSource.FileSource;
import dev.berth.vm.guest.model.GuestMount.MountSource.ScratchSource;
import dev.berth.vm.guest.model.GuestStream;
import dev.berth.vm.guest.model.GuestUsage;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The real guest program in QEMU, and containers that behave badly or many at once: others do not
/// notice, and nothing is left of them.
@Timeout(300)
final class GuestFaultsIT {
  private static final Duration LIMIT = TestMachine.LIMIT;

  private static TestMachine machine;

  @BeforeAll
  static void boot() {
    machine = TestMachine.shared();
  }

  @AfterEach
  void nothingIsLost() {
    assertThat(machine.listener().gaps()).isEmpty();
    assertThat(script(machine, "echo fine").run()).isEqualTo("fine\n");
  }

  @Test
  void processesThatOutliveTheirContainerAreKilledAndHoldNothingUp() {
    ContainerRecipe own = script(machine, "sleep 4001 & echo started").start();
    assertThat(own.awaitExit().code()).isZero();
    assertThat(own.output()).isEqualTo("started\n");
    own.remove();
    ContainerRecipe shared =
        script(machine, "sleep 4002 & setsid sleep 4003 & echo started")
            .pids(new PidNamespace.PodProcesses())
            .start();
    assertThat(shared.awaitExit().code()).isZero();
    shared.remove();
    assertThat(script(machine, "ps").pids(new PidNamespace.PodProcesses()).run())
        .doesNotContain("sleep 400");
  }

  @Test
  void aForkBombStaysWithinItsLimitAndIsRemoved() {
    ContainerRecipe bomb =
        script(machine, "echo up; bomb() { bomb | bomb & }; bomb; while true; do :; done")
            .limits(new GuestLimits(20_000, 0, 2, 32 << 20, 30, 0, Map.of()))
            .start();
    bomb.awaitOutput("up");
    assertThat(script(machine, "echo quick").run()).isEqualTo("quick\n");
    bomb.remove();
    assertThat(machine.agent().list()).noneMatch(state -> state.id().equals(bomb.id()));
  }

  @Test
  void aContainerThatStopsItselfIsRemoved() {
    ContainerRecipe stopped = script(machine, "echo up; kill -STOP $$; sleep 1000").start();
    stopped.awaitOutput("up");
    stopped.remove();
  }

  @Test
  void aProgramThatTakesNoInputFreesItsWriter() throws Exception {
    ContainerRecipe closing =
        script(machine, "exec 0<&-; echo up; sleep 1000").stdin(false).start();
    closing.awaitOutput("up");
    OutputStream input = machine.agent().input(closing.id());
    assertThatThrownBy(() -> input.write(new byte[1_000_000])).isInstanceOf(IOException.class);
    closing.remove();
    ContainerRecipe idle = script(machine, "echo up; sleep 1000").stdin(false).start();
    idle.awaitOutput("up");
    OutputStream full = machine.agent().input(idle.id());
    FutureTask<Boolean> write =
        GuestCalls.start(
            () -> {
              full.write(new byte[1_000_000]);
              return true;
            });
    idle.remove();
    assertThatThrownBy(write::get).hasRootCauseInstanceOf(IOException.class);
  }

  @Test
  void aFullDiskIsThatOfThePodAlone() {
    ContainerRecipe filling =
        script(machine, "dd if=/dev/zero of=/v/big bs=1M count=200; echo x > /tmp/more; echo end")
            .mount("/v", new ScratchSource("filled", GuestOwner.EVERYONE))
            .start();
    filling.awaitExit();
    assertThat(filling.errors()).contains("No space left on device");
    assertThat(filling.output()).isEqualTo("end\n");
    GuestUsage usage = machine.agent().usage();
    assertThat(usage.scratchUsedBytes()).isGreaterThan(usage.scratchTotalBytes() * 8 / 10);
    // Emptied by somebody else, as the pod's end would.
    filling.remove();
    script(machine, "rm /v/big")
        .mount("/v", new ScratchSource("filled", GuestOwner.EVERYONE))
        .run();
  }

  @Test
  void aFileOfAContainerIsReadInPartsAndNeverBeyondIt() {
    ContainerRecipe writer =
        script(
                machine,
                "head -c 3000000 /dev/zero | tr '\\0' x > /log; truncate -s 8G /log; echo e >> /log")
            .mount("/log", new FileSource("log"))
            .start();
    writer.awaitExit();
    byte[] end = machine.agent().readFile(writer.id(), "log", 5_000_000);
    assertThat(end).hasSize(1 << 20).endsWith("e\n".getBytes(UTF_8));
    writer.remove();
  }

  @Test
  void manyContainersStartAtOnceAndLeaveNothing() throws Exception {
    long processes = machine.agent().usage().processes();
    List<FutureTask<String>> runs = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String text = "run " + i;
      runs.add(GuestCalls.start(() -> script(machine, "echo " + text).run()));
    }
    for (int i = 0; i < runs.size(); i++) {
      assertThat(runs.get(i).get()).isEqualTo("run " + i + "\n");
    }
    RecordingListener.await(
        "the end of all processes", () -> machine.agent().usage().processes() <= processes);
  }

  @Test
  void manyProgramsAtOnceAllEnd() throws Exception {
    ContainerRecipe container = script(machine, "echo up; exec sleep 100000").start();
    container.awaitOutput("up");
    AtomicInteger bytes = new AtomicInteger();
    List<GuestProcess> processes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      GuestExec program =
          new GuestExec(container.id(), List.of("/bin/seq", "1", "2000"), i % 3 == 0, false);
      processes.add(machine.agent().exec(program, (_, output) -> bytes.addAndGet(output.length)));
    }
    for (int i = 0; i < processes.size(); i++) {
      if (i % 5 == 4) {
        processes.get(i).close();
      } else {
        assertThat(processes.get(i).exit(LIMIT).orElseThrow().code()).isZero();
        processes.get(i).close();
      }
    }
    assertThat(bytes.get()).isBetween(16 * 8_893, 20 * 10_893);
    container.remove();
  }

  /// Clients come and go while containers write, programs run and connections are open.
  @Test
  void clientsComeAndGo() throws Exception {
    Random random = new Random(4);
    List<ContainerRecipe> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      writers.add(script(machine, "seq 1 30000; echo errors >&2").start());
    }
    for (int i = 0; i < 12; i++) {
      ContainerRecipe writer = writers.get(random.nextInt(writers.size()));
      FutureTask<GuestProcess> exec =
          GuestCalls.start(
              () ->
                  machine
                      .agent()
                      .exec(
                          new GuestExec(
                              writer.id(), List.of("/bin/seq", "1", "100000"), false, false),
                          (_, _) -> {}));
      if (random.nextBoolean()) {
        try {
          exec.get();
        } catch (ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(GuestException.class);
        }
      }
      machine.connect();
    }
    for (ContainerRecipe writer : writers) {
      assertThat(writer.awaitExit().code()).isZero();
      assertThat(machine.listener().size(writer.id(), GuestStream.STDOUT)).isEqualTo(168_894);
      assertThat(writer.errors()).isEqualTo("errors\n");
      writer.remove();
    }
  }

  @Test
  void theGuestNeedsNoMoreMemoryAfterManyContainersAndPrograms() throws Exception {
    ContainerRecipe container = script(machine, "echo up; exec sleep 100000").start();
    container.awaitOutput("up");
    work(container, 5);
    long before = machine.agent().usage().memoryAvailableBytes();
    work(container, 20);
    RecordingListener.await(
        "the memory of ended containers",
        () -> machine.agent().usage().memoryAvailableBytes() > before - (4 << 20));
    container.remove();
  }

  private void work(ContainerRecipe container, int rounds) throws InterruptedException {
    for (int i = 0; i < rounds; i++) {
      script(machine, "seq 1 3000").run();
      GuestExec program =
          new GuestExec(container.id(), List.of("/bin/seq", "1", "3000"), false, true);
      try (GuestProcess process = machine.agent().exec(program, (_, _) -> {})) {
        assertThat(process.exit(LIMIT)).isPresent();
      }
    }
  }
}
