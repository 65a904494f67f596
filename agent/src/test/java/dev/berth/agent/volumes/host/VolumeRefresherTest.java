package dev.berth.agent.volumes.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.testing.Await;
import dev.berth.agent.volumes.mounts.UnmountedDirectories;
import dev.berth.agent.volumes.payloads.FakeSources;
import dev.berth.agent.volumes.types.VolumeDirectories;
import dev.berth.client.fake.ManualTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VolumeRefresherTest {
  @TempDir private Path directory;
  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final FakeSources sources = new FakeSources(time);

  private static Pod pod(String name) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %1$s, namespace: n, uid: %1$s}
        spec:
          containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}]}]
          volumes: [{name: v, configMap: {name: %1$s}}]
        """
            .formatted(name),
        Pod.class);
  }

  @Test
  void aPodThatFailsUnexpectedlyDoesNotEndTheCareForTheOthers() throws Exception {
    HostVolumes volumes =
        HostVolumes.open(
            new VolumeDirectories(directory.resolve("pods"), directory.resolve("memory")),
            sources,
            sources,
            new UnmountedDirectories(),
            _ -> 0,
            time);
    List<Pod> pods = List.of(pod("odd"), pod("good"));
    for (Pod pod : pods) {
      sources.configMaps.put(pod.getMetadata().getName(), Map.of("a", "1"));
      volumes.prepare(pod);
    }
    try (var _ = VolumeRefresher.start(volumes, () -> pods, time)) {
      Await.until("the refresher waits", () -> time.pendingCount() == 1);
      sources.broken.add("odd");
      sources.configMaps.put("good", Map.of("a", "2"));
      time.advance(Duration.ofMinutes(1));
      Await.until("the refresher waits again", () -> time.pendingCount() == 1);
    }
    assertThat(directory.resolve("pods/good/volumes/kubernetes.io~configmap/v/a")).hasContent("2");
  }

  @Test
  void whatChangesInThePodItselfShowsAtOnce() throws Exception {
    HostVolumes volumes =
        HostVolumes.open(
            new VolumeDirectories(directory.resolve("pods"), directory.resolve("memory")),
            sources,
            sources,
            new UnmountedDirectories(),
            _ -> 0,
            time);
    Pod pod = pod("web");
    sources.configMaps.put("web", Map.of("a", "1"));
    volumes.prepare(pod);
    try (var _ = VolumeRefresher.start(volumes, List::of, time)) {
      Await.until("the refresher waits", () -> time.pendingCount() == 1);
      sources.configMaps.put("web", Map.of("a", "longer"));

      volumes.changed(pod);

      Path file = directory.resolve("pods/web/volumes/kubernetes.io~configmap/v/a");
      Await.until("it shows", () -> file.toFile().length() == "longer".length());
    }
  }
}
