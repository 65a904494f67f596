package dev.berth.launch.containerd;

import dev.berth.launch.containerd.images.LocalImages;
import java.nio.file.Path;
import java.util.stream.Collectors;

/// The configuration file of a private containerd, in the format of containerd 1.6 and later
/// (`version = 2`).
///
/// @param networks the directory of network configurations
/// @param plugins the directory of network plugins
record ContainerdConfig(
    ServicePlan plan, ContainerdDirectory directory, HostInfo host, Path networks, Path plugins) {
  private static final String CRI = "plugins.\"io.containerd.grpc.v1.cri\"";

  /// The text of the file. Network namespaces are mounted below the state directory, so that two
  /// containerds of one machine never share them; the streaming server listens on the loopback
  /// interface, because its URLs are the only protection.
  String text() {
    return """
        # Written by `berth up`; changes are lost.
        version = 2
        root = "%s"
        state = "%s"
        [grpc]
          address = "%s"
        [%s]
          sandbox_image = "%s"
          disable_apparmor = %s
          restrict_oom_score_adj = %s
          netns_mounts_under_state_dir = true
          stream_server_address = "127.0.0.1"
          stream_server_port = "0"
          [%s.cni]
            bin_dir = "%s"
            conf_dir = "%s"
          [%s.containerd]
            default_runtime_name = "%s"
        """
            .formatted(
                directory.root(),
                directory.state(),
                directory.socket(),
                CRI,
                LocalImages.PAUSE,
                !host.appArmor(),
                !host.mayLowerOomScore(),
                CRI,
                plugins,
                networks,
                CRI,
                plan.defaultHandler())
        + handlers();
  }

  private String handlers() {
    return plan.handlers().entrySet().stream()
        .map(entry -> handler(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining());
  }

  private String handler(String name, Path program) {
    String section = CRI + ".containerd.runtimes." + name;
    return """
            [%s]
              runtime_type = "io.containerd.runc.v2"
              [%s.options]
                BinaryName = "%s"
                Root = "%s"
        """
        .formatted(section, section, program, directory.containers().resolve(name));
  }
}
