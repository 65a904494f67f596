package dev.berth.checks.stories;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `berth rehearse windows-upgrade`: the stories of KEP-1301 as a command.
class WindowsUpgradeIT {
  @Test
  void everyStoryHoldsAndTheReportShowsWhatMoved() throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int code =
        Main.run(
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            "rehearse",
            "windows-upgrade",
            "-o",
            "json");

    assertThat(code).as("%s%n%s", out, err).isZero();
    JsonNode report = new JsonMapper().readTree(out.toString());
    assertThat(report.path("holds").asBoolean()).isTrue();
    assertThat(report.path("stories")).hasSize(3);
    assertThat(out.toString()).contains("lines saved per workload");
    assertThat(places(report.at("/stories/1/steps")))
        .contains(
            "Windows Server 2019 (10.0.17763) process windows/amd64 10.0.17763.805",
            "Windows Server, version 1903 (10.0.18362) hyperv windows/amd64 10.0.17763.805",
            "Windows Server 2022 (10.0.20348) hyperv windows/amd64 10.0.17763.805",
            "Windows Server 2025 (10.0.26100) hyperv windows/amd64 10.0.17763.805");
  }

  private static List<String> places(JsonNode steps) {
    List<String> places = new ArrayList<>();
    for (JsonNode step : steps) {
      for (JsonNode pod : step.path("pods")) {
        places.add(
            "%s %s %s"
                .formatted(
                    pod.path("system").asText(),
                    pod.path("isolation").asText(),
                    pod.path("entry").asText()));
      }
    }
    return places;
  }
}
