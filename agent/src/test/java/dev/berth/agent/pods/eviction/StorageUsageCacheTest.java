package dev.berth.agent.pods.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.files.DiskUsage;
import dev.berth.agent.files.VolumeTrees;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.usage.PodStorage;
import dev.berth.agent.volumes.NoVolumes;
import dev.berth.agent.volumes.PodVolumes;
import dev.berth.agent.volumes.VolumeLocation;
import dev.berth.agent.volumes.VolumeMounting;
import dev.berth.client.fake.ManualTime;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StorageUsageCacheTest {
  private final ManualTime time = new ManualTime(Instant.parse("2030-01-01T00:00:00Z"));
  @TempDir private Path directory;

  @Test
  void whoAsksNeverWaitsAndGetsWhatWasMeasuredLast() throws IOException {
    Path cache = Files.createDirectories(directory.resolve("cache"));
    Files.writeString(cache.resolve("file"), "12345");
    Path logs = Files.createDirectories(directory.resolve("logs/n_p_u1/main"));
    Files.writeString(logs.resolve("0.log"), "123");
    CompletableFuture<List<Pod>> pods = new CompletableFuture<>();
    StorageUsageCache look =
        new StorageUsageCache(
            NodeSettings.of("node-1", List.of(), directory), volumes(), pods::join, time);

    assertThat(look.newest()).isEmpty();
    pods.complete(List.of(pod()));
    Await.until("it is measured", () -> !look.newest().isEmpty());
    PodStorage storage = of(look);
    assertThat(storage.logs()).isEqualTo(Map.of("main", VolumeTrees.measure(logs)));
    assertThat(storage.logs().get("main")).extracting(DiskUsage::inodes).isEqualTo(1L);
    assertThat(storage.volumes())
        .singleElement()
        .satisfies(
            volume -> {
              assertThat(volume.name()).isEqualTo("cache");
              assertThat(volume.used()).isEqualTo(VolumeTrees.measure(cache));
              assertThat(volume.used().bytes()).isGreaterThanOrEqualTo(5);
              assertThat(volume.room().bytes().capacity()).isPositive();
            });

    Files.write(logs.resolve("0.log"), new byte[100_000]);
    time.advance(Duration.ofSeconds(30));
    assertThat(look.newest()).as("not old enough").containsEntry("u1", storage);
    time.advance(Duration.ofSeconds(31));
    Await.until(
        "it is measured again",
        () -> Objects.requireNonNull(of(look).logs().get("main")).bytes() >= 100_000);
    look.close();
  }

  private static PodStorage of(StorageUsageCache look) {
    return Objects.requireNonNull(look.newest().get("u1"));
  }

  /// One volume that is there, and one that is not yet.
  private PodVolumes volumes() {
    NoVolumes none = new NoVolumes();
    return new PodVolumes() {
      @Override
      public void prepare(Pod pod) {
        none.prepare(pod);
      }

      @Override
      public List<VolumeMounting> mounts(Pod pod, Container container) {
        return none.mounts(pod, container);
      }

      @Override
      public List<VolumeLocation> places(Pod pod) {
        return List.of(
            new VolumeLocation("cache", directory.resolve("cache"), true),
            new VolumeLocation("later", directory.resolve("later"), true));
      }

      @Override
      public void remove(Pod pod) {
        none.remove(pod);
      }
    };
  }

  private static Pod pod() {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: n, uid: u1}
        spec: {containers: [{name: main}]}
        """,
        Pod.class);
  }
}
