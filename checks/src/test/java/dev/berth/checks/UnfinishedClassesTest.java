package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which test classes `./dev test` says did not finish.
final class UnfinishedClassesTest {
  @TempDir private Path directory;

  @Test
  void aClassWithoutAReportDidNotFinish() throws Exception {
    report("server", "dev.berth.server.DoneIT");
    String log =
        """
        [INFO] Running dev.berth.server.DoneIT
        [INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0 -- in dev.berth.server.DoneIT
        [INFO] Running dev.berth.server.KilledIT
        """;
    assertThat(unfinished(log)).isEqualTo("dev.berth.server.KilledIT\n");
  }

  @Test
  void linesThatTwoModulesTorePutNobodyOnTheList() throws Exception {
    report("server", "dev.berth.server.TornIT");
    report("agent", "dev.berth.agent.OtherTest");
    String log =
        """
        [INFO] Running dev.berth.server.TornIT
        [INFO] Running dev.berth.agent.OtherTest[INFO] Tests run: 1, Failures: 0 -- in dev.
        berth.server.TornIT
        """;
    assertThat(unfinished(log)).isEmpty();
  }

  private void report(String module, String type) throws IOException {
    Path reports =
        Files.createDirectories(directory.resolve(module).resolve("target/failsafe-reports"));
    Files.writeString(reports.resolve("TEST-" + type + ".xml"), "<testsuite tests=\"1\"/>");
  }

  private String unfinished(String log) throws IOException, InterruptedException {
    Path file = Files.writeString(directory.resolve("log"), log);
    return ProgressScript.run("ROOT=\"$2\" && unfinished_classes \"$1\"", file, directory);
  }
}
