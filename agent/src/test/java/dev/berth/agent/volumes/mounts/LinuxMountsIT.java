package dev.berth.agent.volumes.mounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.files.FileHandle;
import dev.berth.agent.files.PathExchange;
import dev.berth.agent.files.VolumeTrees;
import dev.berth.agent.volumes.host.SubPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real mounts; only root can make them.
final class LinuxMountsIT {
  @TempDir private Path directory;
  private final LinuxMounts mounts = new LinuxMounts();

  @BeforeEach
  void onlyRoot() throws Exception {
    assumeTrue((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "needs root");
    directory = directory.toRealPath();
  }

  @AfterEach
  void unmount() throws Exception {
    mounts.unmountBelow(directory);
  }

  @Test
  void memoryIsMountedOnceWithItsSize() throws Exception {
    Path memory = Files.createDirectory(directory.resolve("memory"));

    mounts.memory(memory, 1 << 20);
    mounts.memory(memory, 1 << 20);

    assertThat(MountTable.read().below(directory)).containsExactly(memory);
    assertThat(Files.getFileStore(memory).getTotalSpace()).isEqualTo(1 << 20);
    mounts.unmountBelow(directory);
    assertThat(MountTable.read().below(directory)).isEmpty();
  }

  @Test
  void hugePagesAreMountedOnceWithTheirSize() throws Exception {
    assumeTrue(
        Files.exists(Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB")), "needs huge pages");
    Path pages = Files.createDirectory(directory.resolve("pages"));

    assertThat(mounts.hugePages(pages, 2 << 20)).isTrue();
    assertThat(mounts.hugePages(pages, 2 << 20)).isFalse();

    assertThat(Files.getFileStore(pages).type()).isEqualTo("hugetlbfs");
    assertThat(Files.getFileStore(pages).getBlockSize()).isEqualTo(2 << 20);
  }

  @Test
  void aPartIsBoundWhateverBecomesOfItsName() throws Exception {
    Path volume = Files.createDirectory(directory.resolve("volume"));
    Path part = Files.createDirectory(volume.resolve("part"));
    Files.writeString(part.resolve("file"), "here");
    Path target = directory.resolve("target/0");

    try (FileHandle found = SubPath.make(volume, "part")) {
      Files.move(part, volume.resolve("moved"));
      Files.createSymbolicLink(part, Path.of("/etc"));
      assertThat(mounts.bind(found, target).resolve("file")).hasContent("here");
      assertThat(mounts.bind(found, target).resolve("file")).hasContent("here");
    }

    assertThat(MountTable.read().below(directory)).as("only once").containsExactly(target);
  }

  /// The kernel's table shows the name, which the container may change at any time.
  @Test
  void whateverAContainerCallsItsPartMountsAreFound() throws Exception {
    Path volume = Files.createDirectory(directory.resolve("volume"));
    Path target = directory.resolve("target/0");
    try (FileHandle found = SubPath.make(volume, "part")) {
      mounts.bind(found, target);
    }

    PathExchange.rename(
        volume.resolve("part"), (volume + "/\u00ff\r36 35").getBytes(StandardCharsets.ISO_8859_1));

    assertThat(MountTable.read().below(directory)).containsExactly(target);
    mounts.unmountBelow(directory);
    assertThat(MountTable.read().below(directory)).isEmpty();
  }

  @Test
  void anotherPartReplacesTheOneBefore() throws Exception {
    Path volume = Files.createDirectory(directory.resolve("volume"));
    Files.writeString(volume.resolve("file"), "a file");
    Path target = directory.resolve("target/0");

    try (FileHandle directory = SubPath.make(volume, "directory");
        FileHandle file = SubPath.make(volume, "file")) {
      assertThat(mounts.bind(directory, target)).isDirectory();
      assertThat(mounts.bind(file, target)).hasContent("a file");
      assertThat(mounts.bind(directory, target)).isDirectory();
    }

    assertThat(MountTable.read().below(directory)).containsExactly(target);
  }

  @Test
  void nothingIsDeletedInWhatIsMounted() throws Exception {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("file"), "kept");
    Path tree = directory.resolve("tree");
    Path target = Files.createDirectories(tree.resolve("a")).resolve("mounted");
    try (FileHandle handle = SubPath.make(directory, "outside")) {
      mounts.bind(handle, target);
    }

    assertThat(VolumeTrees.measure(tree).inodes()).as("of the tree alone").isEqualTo(1);
    assertThatThrownBy(() -> VolumeTrees.delete(tree))
        .hasMessageContaining("something is mounted in it at a directory called mounted");

    assertThat(outside.resolve("file")).hasContent("kept");
    mounts.unmountBelow(directory);
    VolumeTrees.delete(tree);
    assertThat(tree).doesNotExist();
  }
}
