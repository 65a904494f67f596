package dev.berth.vm.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program that starts QEMU, with other programs in QEMU's place.
final class LauncherIT {
  @TempDir Path home;

  @Test
  void theBuiltProgramIsThatOfItsSource() throws Exception {
    Path build = Path.of("launcher/build.sh").toAbsolutePath();
    assumeTrue(Files.exists(build), "the sources are not here");
    assumeTrue(
        gcc().startsWith("gcc (Debian 12."), "another compiler than the one of the kept program");

    run(build.toString(), home.resolve("built").toString());

    try (InputStream kept = LauncherFile.class.getResourceAsStream("machine-launcher")) {
      assertThat(Files.readAllBytes(home.resolve("built"))).isEqualTo(kept.readAllBytes());
    }
  }

  private String gcc() throws Exception {
    try {
      return run("gcc", "--version");
    } catch (IOException missing) {
      return "";
    }
  }

  @Test
  void outputIsKeptInARingThatNeverGrows() throws Exception {
    launch("keep", "out", "1", "--", "/bin/sh", "-c", "seq 1 100000; echo last");

    Path ring = home.resolve("out");
    ConsoleAwait.until(() -> ConsoleRing.text(ring).endsWith("last\n"));
    assertThat(Files.size(ring)).isEqualTo((1 << 16) + 8);
    assertThat(ConsoleRing.text(ring)).contains("\n100000\nlast\n").doesNotContain("\n1000\n");
  }

  @Test
  void aStepThatFailsIsNamed() throws Exception {
    assertThat(launch("open", "nothing", "3", "--", "/bin/true"))
        .isEqualTo("machine-launcher: open nothing: error 2\n");
    assertThat(launch("network", "/nothing", "--", "/bin/true"))
        .contains("network /nothing: error 2");
    assertThat(launch("jump", "--", "/bin/true")).contains("step jump: error 22");
    assertThat(launch("user", "0", "0", "--", "/bin/true")).contains("user 0: error 22");
    assertThat(launch("--", "/nothing")).contains("execute /nothing: error 2");
    assertThat(launch("open", "/dev/null", "9", "--", "/bin/true")).contains("error 9");
  }

  @Test
  void theProgramHasOnlyTheFilesThatItIsGiven() throws Exception {
    String files = launch("open", "/dev/null", "3", "--", "/bin/ls", "/proc/self/fd");

    // The last one is the directory itself.
    assertThat(files.lines()).containsExactly("0", "1", "2", "3", "4");
  }

  @Test
  void theFrequencyOfTheProcessorIsPutIntoAnArgument() throws Exception {
    String[] launched = {"clock", "khz=1000000", "--", "/bin/echo", "a khz=1000000 b", "1000000"};
    String first = launch(launched);
    assertThat(first).matches("a khz=[1-9][0-9]{5,6} ? b 1000000\n");

    double difference = khz(launch(launched)) - khz(first);
    assertThat(Math.abs(difference) / khz(first)).isLessThan(0.01);
  }

  private static double khz(String echoed) {
    return Double.parseDouble(echoed.replaceAll(".*khz=([0-9]+).*\n", "$1"));
  }

  private String launch(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(LauncherFile.install(home).toString()));
    command.addAll(List.of(words));
    return run(command.toArray(String[]::new));
  }

  private String run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output;
  }
}
