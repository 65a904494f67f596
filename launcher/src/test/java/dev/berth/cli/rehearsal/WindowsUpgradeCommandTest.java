package dev.berth.cli.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.launch.rehearsal.PodPlace;
import dev.berth.launch.rehearsal.RehearsalReport;
import dev.berth.launch.rehearsal.RehearsalReport.Step;
import dev.berth.launch.rehearsal.RehearsalReport.Story;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The report of a rehearsal as people read it.
final class WindowsUpgradeCommandTest {
  private static final RehearsalReport REPORT =
      new RehearsalReport(
          false,
          List.of(
              new Story(
                  "Story 1: classes",
                  true,
                  List.of(
                      new Step(
                          "pods name a class",
                          true,
                          "",
                          List.of("8 lines saved"),
                          List.of(
                              new PodPlace(
                                  "by-class",
                                  "windows-1809",
                                  "win-1809",
                                  "Windows Server 2019 (10.0.17763)",
                                  "docker",
                                  "process",
                                  "golang:1",
                                  "windows/amd64 10.0.17763.805"),
                              new PodPlace(
                                  "linux",
                                  "",
                                  "linux-1",
                                  "linux",
                                  "runc",
                                  "",
                                  "golang:1",
                                  "linux/amd64"))))),
              new Story(
                  "Story 2: Hyper-V",
                  false,
                  List.of(
                      new Step(
                          "nodes are drained",
                          false,
                          "not within 180 s: pod new runs",
                          List.of(),
                          List.of())))));

  @Test
  void eachStepShowsItsPodsAndWhyItFailed() {
    assertThat(print(false))
        .isEqualTo(
            """

            Story 1: classes

              ok      pods name a class
                      8 lines saved
                      POD        CLASS          NODE       OS                                 ISOLATION   IMAGE ENTRY
                      by-class   windows-1809   win-1809   Windows Server 2019 (10.0.17763)   process     windows/amd64 10.0.17763.805
                      linux      -              linux-1    linux                              -           linux/amd64

            Story 2: Hyper-V

              FAILED  nodes are drained
                      not within 180 s: pod new runs

            1 of 2 stories hold
            """);
  }

  @Test
  void theWideReportAddsHandlerAndImage() {
    assertThat(print(true).lines())
        .anyMatch(line -> line.matches(" +POD .* IMAGE ENTRY +HANDLER +IMAGE"))
        .anyMatch(line -> line.matches(" +linux .* linux/amd64 +runc +golang:1"));
  }

  private static String print(boolean wide) {
    StringWriter text = new StringWriter();
    WindowsUpgradeCommand.print(REPORT, wide, new PrintWriter(text));
    return text.toString();
  }
}
