package dev.berth.agent.cgroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The control groups of pods, at the kernel of this machine.
final class PodCgroupsIT {
  private static final CgroupLimits ALL = new CgroupLimits(2048, -1, 1L << 30);

  private final String parent = "/berth-test-" + UUID.randomUUID();
  private CgroupTree cgroups;
  private PodCgroups pods;

  @BeforeEach
  void setUp() throws IOException {
    Optional<CgroupTree> found = CgroupMounts.ofThisMachine().open();
    assumeTrue(found.isPresent());
    cgroups = found.get();
    pods = open(cgroups);
  }

  private PodCgroups open(CgroupTree kernel) {
    try {
      return PodCgroups.open(kernel, parent, ALL);
    } catch (IOException e) {
      return Assumptions.abort("control groups cannot be made here: " + e);
    }
  }

  @AfterEach
  void tearDown() throws IOException {
    cgroups.remove(parent);
  }

  @Test
  void aPodGetsItsLimitsAndItsLevelTheSumOfShares() throws Exception {
    String first = PodCgroups.path(parent, "burstable", "one");
    pods.set(first, new CgroupLimits(512, 30_000, 64L << 20));
    pods.set(PodCgroups.path(parent, "burstable", "two"), new CgroupLimits(256, -1, -1));

    assertThat(cgroups.read(parent).memoryBytes()).isEqualTo(1L << 30);
    assertThat(cgroups.read(first).cpuQuota()).isEqualTo(30_000);
    assertThat(cgroups.read(first).memoryBytes()).isEqualTo(64L << 20);
    assertThat(cgroups.read(parent + "/burstable").cpuShares()).isBetween(740L, 770L);

    pods.raise(first, new CgroupLimits(512, 10_000, 128L << 20));
    assertThat(cgroups.read(first).cpuQuota()).isEqualTo(30_000);
    assertThat(cgroups.read(first).memoryBytes()).isEqualTo(128L << 20);

    pods.remove("one");
    assertThat(cgroups.below(parent + "/burstable")).hasSize(1);
    assertThatThrownBy(() -> cgroups.read(first)).isInstanceOf(IOException.class);
    assertThat(cgroups.read(parent + "/burstable").cpuShares()).isBetween(230L, 260L);
  }

  @Test
  void noEmptyGroupsAreLeftAbove() throws Exception {
    String first = parent + "/of/one/kubepods";
    String second = parent + "/of/another/kubepods";
    PodCgroups.open(cgroups, first, ALL).set(PodCgroups.path(first, "", "1"), ALL);
    PodCgroups.open(cgroups, second, ALL);

    PodCgroups.clear(cgroups, first, List.of("1"));
    assertThat(cgroups.below(parent + "/of")).containsExactly(parent + "/of/another");

    cgroups.remove(parent + "/burstable");
    cgroups.remove(parent + "/besteffort");
    PodCgroups.clear(cgroups, second, List.of());
    assertThat(cgroups.below("/")).doesNotContain(parent);
  }

  @Test
  void whatARuntimeForgotIsKilled() throws Exception {
    pods.set(PodCgroups.path(parent, "besteffort", "one"), CgroupLimits.LEAST);
    String container = PodCgroups.path(parent, "besteffort", "one") + "/forgotten";
    cgroups.set(container, CgroupLimits.LEAST);
    Process process = new ProcessBuilder("sleep", "600").start();
    try {
      enter(container, process.pid());
      assertThatThrownBy(() -> pods.remove("one")).hasMessageEndingWith("is still in use");

      assertThat(pods.kill("one")).containsExactly(process.pid());
      assertThat(process.waitFor()).isEqualTo(128 + 9);

      pods.remove("one");
      assertThat(cgroups.below(parent + "/besteffort")).isEmpty();
      assertThat(pods.kill("one")).as("of a group that is gone").isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  /// In all hierarchies.
  private static void enter(String group, long pid) throws IOException {
    for (CgroupMounts.Mount mount : CgroupMounts.ofThisMachine().mounts()) {
      Path directory = mount.place().resolve(group.substring(1));
      if (Files.isDirectory(directory)) {
        Files.writeString(directory.resolve("cgroup.procs"), Long.toString(pid));
      }
    }
  }

  @Test
  void nothingIsRaisedThatIsNotThere() throws Exception {
    String path = PodCgroups.path(parent, "", "never");
    pods.raise(path, ALL);
    pods.remove("never");

    assertThat(cgroups.below(parent)).doesNotContain(path);
  }
}
