package dev.berth.agent.node.usage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.pressure.SignalReadings.Reading;
import dev.berth.agent.usage.ContainerUsage;
import dev.berth.agent.usage.FreeDiskSpace;
import dev.berth.agent.usage.ImageStoreUsage;
import dev.berth.agent.usage.InterfaceCounters;
import dev.berth.agent.usage.MemoryDetails;
import dev.berth.agent.usage.NodeUsage;
import dev.berth.agent.usage.PodStorage;
import dev.berth.agent.usage.ResourceUsage;
import dev.berth.agent.usage.UsageReader.SandboxUse;
import dev.berth.agent.usage.VolumeUsage;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StatsSummaryTest {
  private static final Instant MADE = Instant.parse("2029-12-31T00:00:00Z");
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final FreeDiskSpace DISK =
      new FreeDiskSpace(1, new Reading(30, 100), new Reading(4, 9));
  private static final ImageStoreUsage UNKNOWN =
      new ImageStoreUsage(DiskUsage.NONE, Optional.empty());

  private static final NodeUsage USAGE =
      new NodeUsage(
          "n1",
          NOW,
          new ResourceUsage(9, 900, new MemoryDetails(901, 902, 903, 904)),
          List.of(
              new ContainerUsage(
                  "a",
                  "web",
                  "p1",
                  "u1",
                  "main",
                  new ResourceUsage(1, 10),
                  new DiskUsage(7, 1),
                  MADE,
                  500),
              new ContainerUsage(
                  "b",
                  "web",
                  "p2",
                  "u2",
                  "main",
                  new ResourceUsage(3, 30),
                  DiskUsage.NONE,
                  MADE,
                  0)),
          List.of());

  private static final MachineUsage MACHINE =
      new MachineUsage(
          new Reading(50, 950),
          new Reading(60, 100),
          new Reading(900, 1000),
          DISK,
          List.of(
              new InterfaceCounters("eth0", 1, 2, 3, 4), new InterfaceCounters("eth1", 5, 6, 7, 8)),
          MADE,
          List.of(new SystemContainerUsage("kubelet", new ResourceUsage(2, 20), MADE)));

  private final Map<String, PodStorage> storage =
      Map.of(
          "u1",
          new PodStorage(
              MADE,
              List.of(
                  new VolumeUsage("cache", true, new DiskUsage(20, 2), DISK),
                  new VolumeUsage("token", false, new DiskUsage(300, 3), DISK)),
              Map.of("main", new DiskUsage(5, 1))));

  /// Of the sandbox of the first pod.
  private long wholeMemory;

  @Test
  void theNodeTellsOfItsNetworkAndDisks() throws IOException {
    JsonNode node = summary().path("node");

    assertThat(node.path("cpu").path("usageCoreNanoSeconds").asLong()).isEqualTo(9);
    assertThat(node.path("memory").path("availableBytes").asLong()).isEqualTo(50);
    assertThat(node.path("startTime").asText()).isEqualTo("2029-12-31T00:00:00Z");
    assertThat(node.at("/cpu/usageNanoCores").asLong()).isEqualTo(70);
    assertThat(node.path("memory").toString())
        .isEqualTo(
            "{\"time\":\"2030-01-01T00:00:00Z\",\"workingSetBytes\":900,\"usageBytes\":901,"
                + "\"rssBytes\":902,\"pageFaults\":903,\"majorPageFaults\":904,"
                + "\"availableBytes\":50}");
    assertThat(node.at("/swap/swapUsageBytes").asLong()).isEqualTo(40);
    assertThat(node.at("/systemContainers/0/name").asText()).isEqualTo("kubelet");
    assertThat(node.at("/systemContainers/0/cpu/usageNanoCores").asLong()).isEqualTo(80);
    assertThat(node.at("/systemContainers/1/memory/workingSetBytes").asLong()).isEqualTo(40);
    assertThat(node.at("/systemContainers/1/cpu/usageNanoCores").asLong()).isEqualTo(590);
    assertThat(node.path("network").toString())
        .isEqualTo(
            "{\"time\":\"2030-01-01T00:00:00Z\",\"name\":\"eth0\",\"rxBytes\":1,\"rxErrors\":2,"
                + "\"txBytes\":3,\"txErrors\":4,\"interfaces\":["
                + "{\"name\":\"eth0\",\"rxBytes\":1,\"rxErrors\":2,\"txBytes\":3,\"txErrors\":4},"
                + "{\"name\":\"eth1\",\"rxBytes\":5,\"rxErrors\":6,\"txBytes\":7,\"txErrors\":8}]}");
    assertThat(node.path("fs").toString())
        .isEqualTo(
            "{\"time\":\"2030-01-01T00:00:00Z\",\"availableBytes\":30,\"capacityBytes\":100,"
                + "\"inodesFree\":4,\"inodes\":9,\"usedBytes\":70,\"inodesUsed\":5}");
    assertThat(node.at("/runtime/imageFs/usedBytes").asLong()).isEqualTo(11);
    assertThat(node.at("/runtime/imageFs/capacityBytes").asLong()).isEqualTo(100);
    assertThat(node.at("/runtime/containerFs/usedBytes").asLong())
        .as("where services say nothing, what their containers wrote")
        .isEqualTo(7);
    assertThat(node.at("/rlimit/curproc").asLong()).isEqualTo(100);
  }

  @Test
  void aPodTellsOfItsNetworkVolumesAndLogs() throws IOException {
    JsonNode pod = summary().path("pods").path(0);

    assertThat(pod.path("podRef").path("name").asText()).isEqualTo("p1");
    assertThat(pod.path("startTime").asText()).isEqualTo("2029-12-31T00:00:00Z");
    assertThat(pod.path("network").path("rxBytes").asLong()).isEqualTo(11);
    assertThat(pod.at("/process_stats/process_count").asLong()).isEqualTo(2);
    assertThat(pod.path("volume").findValuesAsText("name")).containsExactly("cache", "token");
    assertThat(pod.at("/volume/0/usedBytes").asLong()).isEqualTo(20);
    assertThat(pod.at("/volume/0/availableBytes").asLong()).isEqualTo(30);
    assertThat(pod.at("/ephemeral-storage/usedBytes").asLong())
        .as("layer, volumes on the disk and logs, not what is in memory")
        .isEqualTo(7 + 20 + 5);
    JsonNode container = pod.path("containers").path(0);
    assertThat(container.at("/rootfs/usedBytes").asLong()).isEqualTo(7);
    assertThat(container.at("/logs/usedBytes").asLong()).isEqualTo(5);
    assertThat(container.at("/cpu/usageNanoCores").asLong()).isEqualTo(500);
  }

  @Test
  void whatIsNotKnownIsLeftOut() throws IOException {
    JsonNode pod = summary().path("pods").path(1);

    assertThat(pod.path("podRef").path("name").asText()).isEqualTo("p2");
    assertThat(pod.has("network") || pod.has("volume") || pod.has("ephemeral-storage")).isFalse();
    assertThat(pod.at("/containers/0").has("logs")).isFalse();
    assertThat(pod.at("/containers/0/cpu/usageNanoCores").asLong())
        .as("measured, where the service does not say")
        .isEqualTo(90);
    assertThat(pod.at("/cpu/usageNanoCores").asLong()).isEqualTo(90);
    assertThat(pod.path("memory").has("rssBytes")).isFalse();
  }

  @Test
  void aMachineAroundThePodCountsToItsMemory() throws IOException {
    wholeMemory = 1L << 40;

    assertThat(summary().at("/pods/0/memory/workingSetBytes").asLong()).isEqualTo(1L << 40);
  }

  private JsonNode summary() throws IOException {
    return new JsonMapper()
        .readTree(
            new StatsSummary(
                    USAGE,
                    MACHINE,
                    Map.of(
                        "u1",
                        new SandboxUse(
                            0,
                            wholeMemory,
                            2,
                            List.of(new InterfaceCounters("eth0", 11, 0, 12, 0)))),
                    storage,
                    new ImageStoreUsage(new DiskUsage(11, 2), Optional.of(DISK)),
                    UNKNOWN,
                    Map.of(
                        "", 70L, "kubelet", 80L, StatsSummary.key(USAGE.containers().get(1)), 90L))
                .json());
  }
}
