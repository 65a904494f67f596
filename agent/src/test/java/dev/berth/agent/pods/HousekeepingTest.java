package dev.berth.agent.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pods.logs.LogRules;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.sim.Simulator;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an agent does and tells beside running pods.
final class HousekeepingTest {
  private static final String TALKING =
      "{containers: [{name: main, image: 'busybox:1', command: [sh, -c, 'echo hello; sleep 1000']}]}";

  @TempDir private Path directory;

  @Test
  void aRotationThatWasInterruptedIsHealed() throws Exception {
    try (TestNode node =
        new TestNode(directory).with(new LogRules(10L << 20, 5, Duration.ofMillis(20)))) {
      node.service("one");
      node.start();
      node.pod("web", TALKING);
      node.awaitPhase("web", "Running");
      Await.until("there is a log", () -> log().isPresent());
      Path log = log().orElseThrow();
      Await.until("it is linked", () -> links().size() == 1);
      Path link = links().getFirst();
      assertThat(link.getFileName().toString()).matches("web_default_main-[0-9a-f]+\\.log");
      assertThat(link.toRealPath()).isEqualTo(log.toRealPath());

      Files.move(log, log.resolveSibling(log.getFileName() + ".20260101-000000"));

      Await.until("it is opened again", () -> Files.exists(log));

      node.delete("web");
      Await.until("the link is gone, too", () -> links().isEmpty());
    }
  }

  @Test
  void aLinkAmongLogsLeadsNoRotationElsewhere() throws Exception {
    Path victim = Files.writeString(directory.resolve("victim"), "of the host");
    try (TestNode node =
        new TestNode(directory).with(new LogRules(5_000, 5, Duration.ofMillis(20)))) {
      node.service("one");
      node.start();
      node.pod("web", TALKING);
      node.awaitPhase("web", "Running");
      Await.until("there is a log", () -> log().isPresent());
      Path logs = log().orElseThrow().resolveSibling(".").normalize();
      Files.createSymbolicLink(logs.resolve("0.log.20200101-000000.tmp"), victim);
      Files.createSymbolicLink(logs.resolve("0.log.20200102-000000"), victim);
      Files.writeString(logs.resolve("0.log.20200101-000000"), "old");
      Files.write(log().orElseThrow(), new byte[10_000], StandardOpenOption.APPEND);

      Await.until("it is compressed", () -> Files.exists(logs.resolve("0.log.20200101-000000.gz")));

      assertThat(victim).hasContent("of the host");
      assertThat(logs.resolve("0.log.20200101-000000.gz")).isRegularFile();
      assertThat(logs.resolve("0.log.20200102-000000.gz")).doesNotExist();
    }
  }

  @Test
  void aContainerIsShownRunningWhenItsHookHasEnded() throws Exception {
    try (TestNode node = new TestNode(directory)) {
      Simulator simulator = node.service("one");
      int hanging = simulator.knobs().faults().add(PodLifeTest.hang("ExecSync"));
      node.start();
      node.pod(
          "web",
          TALKING.replace("image:", "lifecycle: {postStart: {exec: {command: ['true']}}}, image:"));

      JsonNode status =
          node.await(
              "web", "is made", now -> now.at("/containerStatuses/0/containerID").isTextual());

      assertThat(status.at("/containerStatuses/0/state").toString())
          .isEqualTo("{\"waiting\":{\"reason\":\"ContainerCreating\"}}");
      assertThat(status.path("phase").asText()).isEqualTo("Pending");
      simulator.knobs().faults().remove(hanging);
      node.awaitPhase("web", "Running");
    }
  }

  @Test
  void dashboardsOfTheKubeletFindTheirNumbers() throws Exception {
    try (TestNode node = new TestNode(directory)) {
      node.service("one");
      node.service("two");
      node.start();
      for (String service : List.of("one", "two")) {
        node.pod(
            service,
            TALKING.replace(
                "{containers", "{runtimeServiceName: %s, containers".formatted(service)));
        node.awaitPhase(service, "Running");
      }

      List<String> wanted =
          List.of(
              "kubelet_started_containers_total{container_type=\"container\"} 2.0",
              "kubelet_node_name{node=\"node-1\"} 1.0",
              "kubelet_running_pods 2.0",
              "kubelet_running_containers{container_state=\"running\"} 2.0",
              "kubelet_started_pods_total 2.0",
              "kubelet_started_pods_errors_total 0.0",
              "kubelet_pod_start_duration_seconds_count 2",
              "kubelet_pod_start_sli_duration_seconds_count 2",
              "kubelet_pod_worker_duration_seconds_count{operation_type=\"sync\"}",
              "kubelet_pleg_relist_duration_seconds_count",
              "kubelet_pleg_relist_interval_seconds_count",
              "kubelet_pleg_last_seen_seconds 1",
              "kubelet_image_pull_duration_seconds_count{image_size_in_bytes=\"");
      // Some are counted right after the status that tells of them.
      Await.until(
          () -> "all of %s is counted in %s".formatted(wanted, metrics(node)),
          () -> wanted.stream().allMatch(metrics(node)::contains));
    }
  }

  private static String metrics(TestNode node) {
    var out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, node.counts.scrape());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private List<Path> links() {
    try (Stream<Path> all = Files.list(directory.resolve("containers"))) {
      return all.toList();
    } catch (IOException _) {
      return List.of();
    }
  }

  private Optional<Path> log() {
    try (Stream<Path> all = Files.walk(directory.resolve("logs"))) {
      return all.filter(file -> file.toString().endsWith(".log")).findFirst();
    } catch (IOException | java.io.UncheckedIOException _) {
      return Optional.empty();
    }
  }
}
