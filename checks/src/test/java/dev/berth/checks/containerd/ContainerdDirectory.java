package dev.berth.checks.containerd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Where one containerd keeps everything it has, and its configuration.
record ContainerdDirectory(Path path) {
  /// Its own range per containerd, so that the addresses of two of them never meet.
  ///
  /// @param more names of handlers that do the same
  static ContainerdDirectory create(Path path, String handler, List<String> more, Path plugins)
      throws IOException {
    ContainerdDirectory directory = new ContainerdDirectory(path);
    Files.createDirectories(directory.networks());
    Files.writeString(directory.config(), directory.configuration(handler, more, plugins));
    int octet = Math.floorMod(path.hashCode(), 200) + 20;
    Files.writeString(directory.networks().resolve("10-test.conflist"), directory.network(octet));
    return directory;
  }

  Path config() {
    return path.resolve("config.toml");
  }

  Path socket() {
    return path.resolve("containerd.sock");
  }

  Path root() {
    return path.resolve("root");
  }

  Path state() {
    return path.resolve("state");
  }

  /// Where the low-level runtime keeps the containers' states.
  Path containers() {
    return path.resolve("containers");
  }

  Path networks() {
    return path.resolve("networks");
  }

  Path log() {
    return path.resolve("containerd.log");
  }

  Path images() {
    return path.resolve("images.tar");
  }

  private String configuration(String handler, List<String> more, Path plugins) {
    return """
        version = 2
        root = "%s"
        state = "%s"
        [grpc]
          address = "%s"
        [plugins."io.containerd.grpc.v1.cri"]
          sandbox_image = "%s"
          disable_apparmor = true
          restrict_oom_score_adj = true
          netns_mounts_under_state_dir = true
          stats_collect_period = 1
          [plugins."io.containerd.grpc.v1.cri".cni]
            bin_dir = "%s"
            conf_dir = "%s"
          [plugins."io.containerd.grpc.v1.cri".containerd]
            default_runtime_name = "%s"
            snapshotter = "overlayfs"
        """
            .formatted(root(), state(), socket(), TestImages.PAUSE, plugins, networks(), handler)
        + Stream.concat(Stream.of(handler), more.stream())
            .map(name -> runtime(name, handler))
            .collect(Collectors.joining());
  }

  private String runtime(String name, String binary) {
    return """
            [plugins."io.containerd.grpc.v1.cri".containerd.runtimes."%s"]
              runtime_type = "io.containerd.runc.v2"
              [plugins."io.containerd.grpc.v1.cri".containerd.runtimes."%s".options]
                BinaryName = "%s"
                Root = "%s"
        """
        .formatted(name, name, binary, containers());
  }

  private String network(int octet) {
    return """
        {"cniVersion": "0.4.0", "name": "test", "plugins": [{
          "type": "ptp",
          "ipam": {"type": "host-local", "dataDir": "%s", "ranges": [[{"subnet": "10.%d.0.0/24"}]]}
        }]}
        """
        .formatted(path.resolve("addresses"), octet);
  }
}
