package dev.berth.checks.pods;

import static dev.berth.checks.pods.TwoContainerds.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.containerd.TestImages;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A pod whose first container exchanges a directory of its volume for a link to the host, all the
/// time, while the others are started with parts of that directory.
final class HostilePodIT {
  private static final int CONTAINERS = 30;

  /// So many of their parts have directories of the same name on the host.
  private static final int OF_HOST = 5;

  @TempDir private Path directory;
  private TwoContainerds all;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(TwoContainerds.isUsable());
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "the hostile program is for x86-64");
    all = new TwoContainerds(directory);
  }

  @AfterEach
  void stop() throws Exception {
    if (all != null) {
      all.stop();
    }
  }

  @Test
  void aSubPathThatIsExchangedForALinkChangesNothingOnTheHost() throws Exception {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    for (int i = 0; i < OF_HOST; i++) {
      Path mine = Files.createDirectory(outside.resolve("part-" + i));
      Files.setAttribute(mine, "unix:mode", 0700);
    }
    all.apply(pod(outside));

    // Each is started with a part of the volume, or is refused and tried again.
    await("all containers were tried", () -> IntStream.range(0, CONTAINERS).allMatch(this::tried));
    Path volume = volume(all.get("hostile"));
    await("the volume is exchanged", () -> Files.isSymbolicLink(volume.resolve("a")));
    for (String root : bound()) {
      assertThat(root).as("what was bound").contains("/kubernetes.io~empty-dir/v/");
    }
    try (var here = Files.list(outside)) {
      for (Path each : here.toList()) {
        assertThat((Integer) Files.getAttribute(each, "unix:mode") & 07777)
            .as("rights of %s", each)
            .isEqualTo(0700);
        assertThat(each).isEmptyDirectory();
      }
    }
    assertThat(Objects.requireNonNull(outside.toFile().list())).hasSize(OF_HOST);

    all.delete("hostile");
    all.awaitGone("hostile");
    assertThat(bound()).as("what is left mounted").isEmpty();
    assertThat(Objects.requireNonNull(outside.toFile().list())).hasSize(OF_HOST);
  }

  private boolean tried(int number) {
    Pod pod = all.find("hostile");
    return pod != null
        && pod.getStatus() != null
        && pod.getStatus().getContainerStatuses().stream()
            .filter(status -> status.getName().equals("part-" + number))
            .anyMatch(HostilePodIT::isDecided);
  }

  private static boolean isDecided(ContainerStatus status) {
    var state = status.getState();
    return state.getRunning() != null
        || (state.getWaiting() != null
            && "CreateContainerConfigError".equals(state.getWaiting().getReason()));
  }

  private Path volume(Pod pod) {
    return directory
        .resolve("node/pods")
        .resolve(pod.getMetadata().getUid())
        .resolve("volumes/kubernetes.io~empty-dir/v");
  }

  /// Which directories of the host are shown to containers as parts of volumes.
  private List<String> bound() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
        .map(line -> line.split(" "))
        .filter(fields -> fields[4].startsWith(directory.toString()))
        .filter(fields -> fields[4].contains("/volume-subpaths/"))
        .map(fields -> fields[3])
        .toList();
  }

  private static String pod(Path outside) {
    String script =
        """
        mkdir -p /v/a && ln -s %s /v/evil && echo %s | base64 -d > /v/exchange && \
        chmod +x /v/exchange"""
            .formatted(outside, ExchangeProgram.base64("/v/a", "/v/evil"));
    String parts =
        IntStream.range(0, CONTAINERS)
            .mapToObj(HostilePodIT::container)
            .collect(Collectors.joining());
    return """
        apiVersion: v1
        kind: Pod
        metadata: {name: hostile, namespace: default}
        spec:
          nodeName: node-1
          runtimeClassName: runc
          automountServiceAccountToken: false
          terminationGracePeriodSeconds: 1
          volumes: [{name: v, emptyDir: {}}]
          initContainers:
          - name: prepare
            image: %1$s
            command: [/bin/sh, -c, '%2$s']
            volumeMounts: [{name: v, mountPath: /v}]
          - name: exchange
            image: %1$s
            restartPolicy: Always
            command: [/v/exchange]
            volumeMounts: [{name: v, mountPath: /v}]
          containers:
        %3$s"""
        .formatted(TestImages.BUSYBOX, script, parts);
  }

  private static String container(int number) {
    return """
          - name: part-%d
            image: %s
            command: [/bin/sh, -c, "sleep 1000"]
            volumeMounts: [{name: v, mountPath: /v, subPath: a/part-%d}]
        """
        .formatted(number, TestImages.BUSYBOX, number);
  }
}
