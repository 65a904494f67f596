package dev.berth.agent.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real mounts; only root can make them.
final class LinuxMountsIT {
  @TempDir private Path folder;
  private final LinuxMounts mounts = new LinuxMounts();

  @BeforeEach
  void onlyRoot() throws Exception {
    assumeTrue((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "needs root");
    folder = folder.toRealPath();
  }

  @AfterEach
  void unmount() throws Exception {
    mounts.unmountBelow(folder);
  }

  @Test
  void memoryIsMountedOnceWithItsSize() throws Exception {
    Path memory = Files.createDirectory(folder.resolve("memory"));

    mounts.memory(memory, 1 << 20);
    mounts.memory(memory, 1 << 20);

    assertThat(MountTable.read().below(folder)).containsExactly(memory);
    assertThat(Files.getFileStore(memory).getTotalSpace()).isEqualTo(1 << 20);
    mounts.unmountBelow(folder);
    assertThat(MountTable.read().below(folder)).isEmpty();
  }

  @Test
  void hugePagesAreMountedOnceWithTheirSize() throws Exception {
    assumeTrue(
        Files.exists(Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB")), "needs huge pages");
    Path pages = Files.createDirectory(folder.resolve("pages"));

    assertThat(mounts.hugePages(pages, 2 << 20)).isTrue();
    assertThat(mounts.hugePages(pages, 2 << 20)).isFalse();

    assertThat(Files.getFileStore(pages).type()).isEqualTo("hugetlbfs");
    assertThat(Files.getFileStore(pages).getBlockSize()).isEqualTo(2 << 20);
  }

  @Test
  void aPartIsBoundAndOneThatLeadsOutIsNot() throws Exception {
    Path volume = Files.createDirectory(folder.resolve("volume"));
    Path part = Files.createDirectory(volume.resolve("part"));
    Files.writeString(part.resolve("file"), "here");
    Path out = Files.createSymbolicLink(volume.resolve("out"), Path.of("/etc"));
    Path target = folder.resolve("target/0");

    assertThat(mounts.bind(part, target, volume).resolve("file")).hasContent("here");
    assertThat(mounts.bind(part, target, volume).resolve("file")).hasContent("here");
    assertThatThrownBy(() -> mounts.bind(out, folder.resolve("target/1"), volume))
        .hasMessageContaining("leads out of the volume");

    assertThat(MountTable.read().below(folder)).containsExactly(target);
  }
}
