package dev.berth.agent.cgroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Both versions of control groups, on directories that look like the kernel's.
final class CgroupTreeTest {
  private static final CgroupLimits LIMITS = new CgroupLimits(307, 30_000, 251_658_240);

  @TempDir private Path root;

  @Test
  void bothVersionsMountedMeansThatTheOlderHasTheControllers() throws Exception {
    CgroupMounts hybrid =
        CgroupMounts.parse(
            List.of(
                "tmpfs /c tmpfs rw 0 0",
                "cgroup /c/cpu cgroup rw,relatime,cpu,cpuacct 0 0",
                "cgroup /c/memory cgroup rw,memory 0 0",
                "cgroup2 /c/unified cgroup2 rw 0 0"));
    CgroupMounts unified = CgroupMounts.parse(List.of("cgroup2 /c cgroup2 rw 0 0"));

    assertThat(hybrid.open()).containsInstanceOf(CgroupsV1.class);
    assertThat(unified.open()).containsInstanceOf(CgroupsV2.class);
    assertThat(unified.isUnified()).isTrue();
    assertThat(hybrid.isUnified()).isFalse();
    assertThat(CgroupMounts.parse(List.of("proc /proc proc rw 0 0")).open()).isEmpty();
  }

  @Test
  void versionOneWritesSharesQuotaAndBytes() throws Exception {
    CgroupTree cgroups =
        CgroupMounts.parse(
                List.of(
                    "cgroup %s/cpu cgroup rw,cpu 0 0".formatted(root),
                    "cgroup %s/memory cgroup rw,memory 0 0".formatted(root)))
            .open()
            .orElseThrow();
    write(
        "cpu/a",
        Map.of("cpu.shares", "1024", "cpu.cfs_quota_us", "-1", "cpu.cfs_period_us", "50000"));
    write("memory/a", Map.of("memory.limit_in_bytes", "9223372036854771712\n"));

    assertThat(cgroups.read("/a")).isEqualTo(new CgroupLimits(1024, -1, -1));
    cgroups.set("/a", LIMITS);

    assertThat(root.resolve("cpu/a/cpu.cfs_period_us")).hasContent("100000");
    assertThat(cgroups.read("/a")).isEqualTo(LIMITS);
  }

  @Test
  void versionTwoHandsControllersDownAndWritesWeights() throws Exception {
    CgroupTree cgroups = new CgroupsV2(root);
    for (String directory : List.of("", "k", "k/pod1")) {
      write(
          directory,
          Map.of(
              "cgroup.controllers", "cpu memory",
              "cgroup.subtree_control", "cpu memory",
              "cpu.weight", "100",
              "cpu.max", "max 100000",
              "memory.max", "max"));
    }
    Files.writeString(root.resolve("k/cgroup.subtree_control"), "cpu");

    assertThat(cgroups.read("/k/pod1").memoryBytes()).isEqualTo(CgroupLimits.NO_LIMIT);
    cgroups.set("/k/pod1", LIMITS);

    assertThat(root.resolve("k/cgroup.subtree_control")).hasContent("+memory");
    assertThat(root.resolve("k/pod1/cpu.weight")).hasContent("12");
    assertThat(root.resolve("k/pod1/cpu.max")).hasContent("30000 100000");
    assertThat(root.resolve("k/pod1/memory.max")).hasContent("251658240");
  }

  @Test
  void aWeightThatIsReadAndWrittenAgainStaysAsItIs() {
    for (long weight = 1; weight <= 10_000; weight++) {
      assertThat(CgroupsV2.weight(CgroupsV2.shares(weight))).isEqualTo(weight);
    }
  }

  @Test
  void aControllerThatIsMissingIsNamed() throws Exception {
    write("", Map.of("cgroup.controllers", "memory", "cgroup.subtree_control", "memory"));

    assertThatThrownBy(() -> new CgroupsV2(root).set("/k", LIMITS))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("lacks the controller cpu");
  }

  @Test
  void moreIsTheLargerOfEachAndNoLimitIsTheLargest() {
    assertThat(new CgroupLimits(10, -1, 5).atLeast(new CgroupLimits(20, 7, 3)))
        .isEqualTo(new CgroupLimits(20, -1, 5));
  }

  private void write(String directory, Map<String, String> files) throws IOException {
    Files.createDirectories(root.resolve(directory));
    for (var file : files.entrySet()) {
      Files.writeString(root.resolve(directory).resolve(file.getKey()), file.getValue());
    }
  }
}
