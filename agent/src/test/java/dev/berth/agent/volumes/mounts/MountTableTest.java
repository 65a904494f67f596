package dev.berth.agent.volumes.mounts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MountTableTest {
  private final MountTable table =
      MountTable.parse(
          List.of(
              "21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw",
              "30 21 0:40 / /run/with\\040blank rw shared:1 - tmpfs tmpfs rw",
              "31 21 8:1 /data/v /bound rw - ext4 /dev/sda1 rw",
              "32 31 0:41 / /bound/inner rw - tmpfs tmpfs rw"));

  @Test
  void mountsAreFoundByTheirPlace() {
    assertThat(table.has(Path.of("/run/with blank"))).isTrue();
    assertThat(table.has(Path.of("/run"))).isFalse();
    assertThat(table.has(Path.of("/data/v"))).isFalse();
  }

  @Test
  void innerMountsAreUnmountedFirst() {
    assertThat(table.below(Path.of("/bound")))
        .containsExactly(Path.of("/bound/inner"), Path.of("/bound"));
  }
}
