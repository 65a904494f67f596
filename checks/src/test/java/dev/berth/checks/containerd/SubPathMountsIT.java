package dev.berth.checks.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.checks.containerd.ContainerdProcess.LowLevelRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The mounts of a pod with parts of volumes, over a crash of the agent and the end of the node.
class SubPathMountsIT {
  private static final String IDENTITY =
      "jsonpath={.status.containerStatuses[0].containerID}"
          + " {.status.containerStatuses[0].restartCount}";

  @TempDir private Path temp;
  private Path data;

  @BeforeEach
  void check() {
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.RUNC));
    assumeTrue(ContainerdProcess.isUsable(LowLevelRuntime.CRUN));
    assumeTrue(Commands.succeeds("kubectl", "version", "--client"));
    data = temp.resolve("d");
  }

  @AfterEach
  void down() throws IOException {
    if (data != null) {
      BerthUp.run("down", "--grace-period=0", "--data-dir=" + data);
    }
  }

  @Test
  void theyOutliveACrashAndGoWithThePodAndWithTheNode() throws Exception {
    String identity;
    long before;
    try (BerthUp berth = BerthUp.start(data)) {
      before = ofPods().size();
      apply(berth, "parts");
      identity = berth.kubectl("get", "pod", "parts", "-o", IDENTITY);
      assertThat(parts()).hasSize(2);
      berth.kill();
    }
    assertThat(parts()).as("while no agent runs").hasSize(2);
    try (BerthUp berth = BerthUp.start(data)) {
      berth.awaitExec("parts");
      assertThat(berth.kubectl("get", "pod", "parts", "-o", IDENTITY)).isEqualTo(identity);
      assertThat(berth.kubectl("exec", "parts", "--", "cat", "/file")).isEqualTo("hidden");
      berth.kubectl("exec", "parts", "--", "sh", "-c", "echo more > /part/written");
      assertThat(parts()).as("after the restart").hasSize(2);

      berth.kubectl("delete", "pod", "parts", "--timeout=120s");

      assertThat(parts()).as("after the deletion").isEmpty();
      assertThat(ofPods()).as("after the deletion").hasSize((int) before);
      apply(berth, "again");
      assertThat(parts()).hasSize(2);
      berth.kill();
    }

    BerthUp.run("down", "--grace-period=1", "--data-dir=" + data);

    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(data.toString());
  }

  private void apply(BerthUp berth, String name) throws IOException {
    Path file =
        Files.writeString(
            temp.resolve(name + ".yaml"),
            """
            apiVersion: v1
            kind: Secret
            metadata: {name: %1$s}
            stringData: {word: hidden}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: %1$s}
            spec:
              terminationGracePeriodSeconds: 1
              runtimeClassName: runc
              volumes: [{name: v, emptyDir: {}}, {name: s, secret: {secretName: %1$s}}]
              containers:
              - name: main
                image: berth.dev/demo:1
                volumeMounts:
                - {name: v, mountPath: /part, subPath: a/b}
                - {name: s, mountPath: /file, subPath: word}
            """
                .formatted(name));
    berth.kubectl("apply", "-f", file.toString());
    berth.kubectl("wait", "--for=condition=Ready", "--timeout=120s", "pod/" + name);
  }

  private List<String> parts() throws IOException {
    return ofPods().stream().filter(place -> place.contains("/volume-subpaths/")).toList();
  }

  /// What the agent mounted for pods, besides the place of what is kept in memory.
  private List<String> ofPods() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
        .map(line -> line.split(" ", -1)[1])
        .filter(place -> place.startsWith(data.resolve("agent") + "/"))
        .filter(place -> !place.equals(data.resolve("agent/memory").toString()))
        .toList();
  }
}
