package dev.berth.agent.volumes.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.files.PathExchange;
import dev.berth.agent.volumes.VolumeException;
import dev.berth.agent.volumes.mounts.FakeMounts;
import dev.berth.agent.volumes.payloads.FakeSources;
import dev.berth.agent.volumes.types.VolumeDirectories;
import dev.berth.client.fake.ManualTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A container that exchanges directories of its volumes for links to the host, while the agent
/// works there as root. Whatever the agent answers, nothing outside may change.
final class HostileVolumesTest {
  private static final int ROUNDS = 1_000;

  @TempDir private Path place;
  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final FakeSources sources = new FakeSources(time);
  private HostVolumes volumes;
  private Path outside;

  @BeforeEach
  void open() throws Exception {
    place = place.toRealPath();
    outside = Files.createDirectory(place.resolve("outside"));
    volumes =
        HostVolumes.open(
            new VolumeDirectories(place.resolve("pods"), place.resolve("memory")),
            sources,
            sources,
            new FakeMounts(),
            _ -> 0,
            time);
  }

  private static Pod pod(String volume, String subPath) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: n, uid: uid-1}
        spec:
          containers:
          - name: c
            volumeMounts: [{name: v, mountPath: /v, subPath: "%s"}]
          volumes: [{name: v, %s}]
        """
            .formatted(subPath, volume),
        Pod.class);
  }

  private Path emptyDir() {
    return place.resolve("pods/uid-1/volumes/kubernetes.io~empty-dir/v");
  }

  /// A directory of the volume, and a link out of it that takes its place every other moment.
  private PathExchange attack(Path directory) throws IOException {
    Files.createDirectories(directory);
    Path link = directory.resolveSibling("evil");
    Files.deleteIfExists(link);
    return PathExchange.start(directory, Files.createSymbolicLink(link, outside));
  }

  @Test
  void noDirectoryIsMadeOrOpenedOutsideForASubPath() throws Exception {
    volumes.prepare(pod("emptyDir: {}", ""));
    try (PathExchange exchange = attack(emptyDir().resolve("a"))) {
      for (int i = 0; i < ROUNDS; i++) {
        Path mine = Files.createDirectory(outside.resolve("private-" + i));
        Files.setAttribute(mine, "unix:mode", 0700);
        mount("a/private-" + i);
        mount("a/new-" + i);
        assertThat((Integer) Files.getAttribute(mine, "unix:mode") & 07777)
            .as("rights of a directory of the host in round %d", i)
            .isEqualTo(0700);
        Files.delete(mine);
        assertThat(outside).as("round %d", i).isEmptyDirectory();
      }
      assertThat(exchange.exchanges()).isGreaterThan(ROUNDS);
    }
  }

  /// What a container gets is never outside, though it may get nothing.
  private void mount(String subPath) {
    Pod pod = pod("emptyDir: {}", subPath);
    try {
      var mountings = volumes.mounts(pod, pod.getSpec().getContainers().getFirst());
      assertThat(mountings.getFirst().hostPath()).startsWith(emptyDir().toString());
    } catch (VolumeException e) {
      assertThat(e).hasMessageContaining("failed to prepare subPath");
    }
  }

  @Test
  void nothingOutsideIsRemovedWithAVolume() throws Exception {
    Path victim = outside.resolve("deep/file");
    Files.createDirectories(victim.getParent());
    Pod pod = pod("emptyDir: {}", "");
    for (int i = 0; i < ROUNDS / 5; i++) {
      Files.writeString(victim, "kept");
      volumes.prepare(pod);
      Path own = Files.createDirectories(emptyDir().resolve("a/deep"));
      Files.writeString(own.resolve("file"), "");
      try (PathExchange _ = attack(emptyDir().resolve("a"))) {
        try {
          volumes.remove(pod);
        } catch (VolumeException _) {
          // It is tried again when nobody works against it.
        }
      }
      assertThat(victim).as("round %d", i).hasContent("kept");
      volumes.remove(pod);
      assertThat(emptyDir()).doesNotExist();
    }
  }

  @Test
  void nothingOutsideIsMeasured() throws Exception {
    Files.write(outside.resolve("large"), new byte[8 << 20]);
    Pod pod = pod("emptyDir: {}", "");
    volumes.prepare(pod);
    try (PathExchange _ = attack(emptyDir().resolve("a"))) {
      for (int i = 0; i < ROUNDS; i++) {
        assertThat(volumes.used(pod).bytes()).as("round %d", i).isLessThan(1 << 20);
      }
    }
  }

  @Test
  void nothingIsWrittenOutsideForAVolumeOfTheApi() throws Exception {
    Pod pod = pod("configMap: {name: m}", "");
    pod.getSpec().setSecurityContext(group(outside));
    sources.configMaps.put("m", Map.of("key", "0"));
    volumes.prepare(pod);
    Path volume = place.resolve("pods/uid-1/volumes/kubernetes.io~configmap/v");
    Files.setAttribute(outside, "unix:mode", 0700);
    for (int i = 1; i < ROUNDS / 5; i++) {
      sources.configMaps.put("m", Map.of("key", "" + i));
      Path next = volume.resolve("..version_" + (i + 1));
      Path link = volume.resolve("evil-" + i);
      Files.createSymbolicLink(link, outside);
      try (PathExchange _ = PathExchange.startWithout(next, link)) {
        try {
          volumes.refresh(pod, volumes.round());
        } catch (VolumeException _) {
          // It is tried again when nobody works against it.
        }
      }
      assertThat(outside).as("round %d", i).isEmptyDirectory();
      assertThat((Integer) Files.getAttribute(outside, "unix:mode") & 07777).isEqualTo(0700);
    }
    sources.configMaps.put("m", Map.of("key", "end"));
    volumes.refresh(pod, volumes.round());
    assertThat(volume.resolve("key")).hasContent("end");
  }

  private static io.fabric8.kubernetes.api.model.PodSecurityContext group(Path of)
      throws IOException {
    long own = (Integer) Files.getAttribute(of, "unix:gid");
    return new PodSecurityContextBuilder().withFsGroup(own).build();
  }
}
