package dev.berth.launch.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.launch.containerd.programs.ContainerdException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ContainerdConfigTest {
  private static final ServicePlan PLAN =
      new ServicePlan("containerd", Map.of("runc", Path.of("/usr/sbin/runc")), "");

  @Test
  void everythingIsBelowTheDirectoryAndOnlyThisMachineReachesStreams() {
    assertThat(config(new HostInfo(true, true, "", true)))
        .contains("root = \"/d/root\"", "state = \"/d/state\"", "address = \"/d/cri.sock\"")
        .contains("stream_server_address = \"127.0.0.1\"", "conf_dir = \"/n\"")
        .contains("BinaryName = \"/usr/sbin/runc\"", "Root = \"/d/containers/runc\"");
  }

  @Test
  void whatTheMachineForbidsIsNotTried() {
    assertThat(config(new HostInfo(true, true, "", true)))
        .contains("disable_apparmor = false", "restrict_oom_score_adj = false");
    assertThat(config(new HostInfo(false, false, "", true)))
        .contains("disable_apparmor = true", "restrict_oom_score_adj = true");
  }

  @Test
  void aPathThatIsTooLongForSocketsIsRefused() {
    assertThatThrownBy(() -> new ContainerdDirectory(Path.of("/" + "x".repeat(100))))
        .isInstanceOf(ContainerdException.class)
        .hasMessageContaining("at most 101 characters")
        .hasMessageContaining("--data-dir");
  }

  private static String config(HostInfo host) {
    return new ContainerdConfig(
            PLAN, new ContainerdDirectory(Path.of("/d")), host, Path.of("/n"), Path.of("/p"))
        .text();
  }
}
