package dev.berth.vm.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Disks of images as the kernel of this machine mounts them.
final class MountedImageIT {
  private static final int STACKS = 20;

  @TempDir Path directory;

  @Test
  void theKernelSeesWhatTheSpecificationSays() throws IOException {
    Assumptions.assumeTrue(
        Files.readString(Path.of("/proc/filesystems")).contains("\terofs"),
        "this kernel has no EROFS");
    Assumptions.assumeTrue(
        "root".equals(System.getProperty("user.name")), "only root can mount file systems");
    for (int seed = 0; seed < STACKS; seed++) {
      RandomLayers layers = new RandomLayers(seed);
      Path work = Files.createTempDirectory(directory, "stack");
      Path disk = TestStack.disk(work, layers.tars());
      Path mount = Files.createDirectory(work.resolve("mount"));
      TestStack.run("mount", "-t", "erofs", "-o", "loop,ro", disk.toString(), mount.toString());
      try {
        ExpectedTree.check("seed " + seed, mount, layers, true);
      } finally {
        TestStack.run("umount", mount.toString());
      }
    }
  }
}
