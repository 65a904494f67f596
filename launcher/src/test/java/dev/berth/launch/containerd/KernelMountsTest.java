package dev.berth.launch.containerd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KernelMountsTest {
  private static final KernelMounts MOUNTS =
      KernelMounts.parse(
          List.of(
              "21 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
              "36 21 254:0 /data /data rw shared:5 - ext4 /dev/vda rw",
              "40 36 0:40 / /data/a\\040b rw master:3 shared:7 - tmpfs tmpfs rw",
              "41 40 0:41 / /data/a\\040b/c rw - tmpfs tmpfs rw",
              "42 21 0:42 / /database rw - tmpfs tmpfs rw"));

  @Test
  void theNearestMountHoldsADirectory() {
    assertThat(MOUNTS.of(Path.of("/data/x")))
        .hasValue(new KernelMounts.Mount(36, Path.of("/data"), true));
    assertThat(MOUNTS.of(Path.of("/other")))
        .hasValue(new KernelMounts.Mount(21, Path.of("/"), false));
  }

  @Test
  void whatIsBelowADirectoryIsToldLastFirst() {
    assertThat(MOUNTS.below(Path.of("/data")))
        .containsExactly(Path.of("/data/a b/c"), Path.of("/data/a b"));
  }
}
