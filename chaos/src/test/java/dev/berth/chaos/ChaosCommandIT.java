package dev.berth.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.chaos.faults.FaultKind;
import dev.berth.chaos.machine.ProcessClock;
import dev.berth.chaos.machine.ShellCommand;
import dev.berth.launch.containerd.programs.RuntimePrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A short run of the chaos test, with the same steps every time.
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class ChaosCommandIT {
  private static final String SEED = "16";

  @TempDir private Path directory;

  @Test
  void aServerOnADiskThatFailsKeepsItsPromises() throws Exception {
    assumeTrue(ShellCommand.succeeds("mke2fs", "-V"), "mke2fs is missing (Debian: e2fsprogs)");
    attack("embedded", EnumSet.complementOf(EnumSet.of(FaultKind.HOSTILE_RUNTIME)));
  }

  @Test
  void twoServersOnAnEtcdThatFailsKeepTheirPromises() throws Exception {
    assumeTrue(ShellCommand.succeeds("etcd", "--version"), "etcd is missing (etcd-server)");
    attack(
        "etcd",
        EnumSet.of(
            FaultKind.KILL,
            FaultKind.STOP,
            FaultKind.NETWORK_CUT,
            FaultKind.CLOCK_JUMP,
            FaultKind.HOSTILE_CLIENT));
  }

  @Test
  void podsRunThroughEveryFaultAndLeaveNothingBehind() throws Exception {
    assumeTrue(RuntimePrograms.ofThisMachine().missing().isEmpty(), "containerd and what it needs");
    attack("nodes", EnumSet.complementOf(EnumSet.of(FaultKind.POWER_CUT, FaultKind.FULL_DISK)));
  }

  /// @param possible what the arena supports; one step for each, so that every kind has its turn
  private void attack(String arena, Set<FaultKind> possible) throws Exception {
    Set<FaultKind> kinds = EnumSet.copyOf(possible);
    if (!ProcessClock.isAvailable()) {
      kinds.remove(FaultKind.CLOCK_JUMP);
    }
    int steps = kinds.size();
    assumeTrue("root".equals(System.getProperty("user.name")), "the attack needs root");
    Path report = directory.resolve("chaos.md");
    Path output = directory.resolve("output");
    Process run =
        new ProcessBuilder(
                RunIsolation.command(
                    List.of(
                        "--seed",
                        SEED,
                        "--arenas",
                        arena,
                        "--steps",
                        Integer.toString(steps),
                        "--report",
                        report.toString())))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(run.waitFor(Duration.ofMinutes(12))).as("ends").isTrue();
      assertThat(run.exitValue()).as(Files.readString(output)).isZero();
      assertThat(Files.readString(report))
          .contains("The run found no violation", "step " + steps, "answers over HTTP/2")
          .contains(kinds.stream().map(kind -> kind + " of ").toList());
    } finally {
      run.destroyForcibly();
    }
  }
}
