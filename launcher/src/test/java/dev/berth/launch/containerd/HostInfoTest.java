package dev.berth.launch.containerd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HostInfoTest {
  @TempDir private Path root;

  @Test
  void aMachineWithBothVersionsOfControlGroupsTellsWhereTheNewerOneIs() throws IOException {
    write("proc/self/mounts", "cgroup /c/cpu cgroup rw 0 0\ncgroup2 /c/unified cgroup2 rw 0 0\n");

    assertThat(HostInfo.read(root, true).unifiedMount()).isEqualTo("/c/unified");
  }

  @Test
  void aMachineWithOneVersionHasNothingToHide() throws IOException {
    write("proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");

    assertThat(HostInfo.read(root, true).unifiedMount()).isEmpty();
  }

  @Test
  void theCapabilityForOomScoresIsSeen() throws IOException {
    write("proc/self/status", "Name:\tjava\nCapEff:\t000001ffffffffff\n");
    assertThat(HostInfo.read(root, true).mayLowerOomScore()).isTrue();

    write("proc/self/status", "Name:\tjava\nCapEff:\t000001fffeffffff\n");
    assertThat(HostInfo.read(root, true).mayLowerOomScore()).isFalse();
  }

  @Test
  void appArmorNeedsTheKernelAndItsParser() throws IOException {
    write("sys/module/apparmor/parameters/enabled", "Y\n");
    assertThat(HostInfo.read(root, true).appArmor()).isFalse();

    write("sbin/apparmor_parser", "");
    assertThat(root.resolve("sbin/apparmor_parser").toFile().setExecutable(true)).isTrue();
    assertThat(HostInfo.read(root, true).appArmor()).isTrue();
  }

  private void write(String file, String text) throws IOException {
    Files.createDirectories(root.resolve(file).getParent());
    Files.writeString(root.resolve(file), text);
  }
}
