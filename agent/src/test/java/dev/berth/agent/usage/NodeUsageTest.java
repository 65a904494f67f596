package dev.berth.agent.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.node.machine.MachineInfo.Size;
import dev.berth.agent.node.usage.ContainerMetrics;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NodeUsageTest {
  private static final Instant MADE = Instant.parse("2029-12-31T00:00:00Z");
  private static final DiskUsage NOTHING = DiskUsage.NONE;
  private final NodeUsage usage =
      new NodeUsage(
          "n1",
          Instant.parse("2030-01-01T00:00:00Z"),
          new ResourceUsage(9_500_000_000L, 900),
          List.of(
              new ContainerUsage(
                  "a",
                  "web",
                  "p1",
                  "u1",
                  "main",
                  new ResourceUsage(1_000_000_000, 10),
                  NOTHING,
                  MADE,
                  0),
              new ContainerUsage(
                  "a",
                  "web",
                  "p1",
                  "u1",
                  "side",
                  new ResourceUsage(2_000_000_000, 20),
                  NOTHING,
                  MADE,
                  0),
              new ContainerUsage(
                  "b",
                  "web",
                  "p2",
                  "u2",
                  "main",
                  new ResourceUsage(3_000_000_000L, 30),
                  new DiskUsage(7, 1),
                  MADE,
                  500)),
          List.of("c"));

  @Test
  void theUseOfPodsIsTheSumOverAllServices() {
    assertThat(usage.ofPods()).isEqualTo(new ResourceUsage(6_000_000_000L, 60));
    assertThat(usage.ofServices()).containsEntry("a", new ResourceUsage(3_000_000_000L, 30));
  }

  @Test
  void cadvisorsNamesAreThereToo() {
    Size size = new Size(4, 8L << 30, 1, Map.of());

    assertThat(new String(new ContainerMetrics(usage, size).text(), StandardCharsets.UTF_8))
        .contains(
            "container_cpu_usage_seconds_total{cpu=\"total\",container=\"side\",id=\"/podu1/side\","
                + "image=\"\",name=\"side\",namespace=\"web\",pod=\"p1\"} 2 ")
        .contains(
            "container_memory_working_set_bytes{container=\"\",id=\"/podu1\",image=\"\",name=\"\","
                + "namespace=\"web\",pod=\"p1\"} 30 ")
        .contains("machine_cpu_cores 4 ", "machine_memory_bytes 8589934592 ")
        .doesNotContain("container_memory_rss");
  }

  @Test
  void metricsNameNodeServicesContainersAndPods() {
    assertThat(new String(usage.resourceMetrics(), StandardCharsets.UTF_8))
        .contains(
            """
            # TYPE node_cpu_usage_seconds_total counter
            node_cpu_usage_seconds_total 9.500000000 1893456000000
            """)
        .contains("berth_runtime_service_memory_working_set_bytes{service=\"b\"} 30 ")
        .contains(
            "container_cpu_usage_seconds_total{container=\"side\",namespace=\"web\",pod=\"p1\"} 2 ")
        .contains("pod_memory_working_set_bytes{namespace=\"web\",pod=\"p1\"} 30 ")
        .contains(
            "container_start_time_seconds{container=\"side\",namespace=\"web\",pod=\"p1\"} 1893369600 ")
        .contains("\nresource_scrape_error 1\n")
        .endsWith("scrape_error 1\n");
  }
}
