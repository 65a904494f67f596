package dev.berth.checks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.vm.VmRuntimeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The places of a runtime of virtual machines on this host, and what is left there.
record VmRuntimeHost(Path directory) {
  private static final Path QEMU = Path.of("/usr/bin/qemu-system-x86_64");
  private static final Path KERNEL = Path.of("../target/guest");
  private static final Path PLUGINS = Path.of("/usr/lib/cni");

  /// Skips the test where something is missing.
  static VmRuntimeHost require(Path directory) throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "machines and namespaces need root");
    assumeTrue(Files.isExecutable(QEMU), "QEMU is missing (qemu-system-x86)");
    assumeTrue(Files.isDirectory(KERNEL.resolve("boot")), "no kernel in target/guest");
    assumeTrue(Files.isExecutable(PLUGINS.resolve("ptp")), "CNI plugins are missing");
    Files.createDirectories(networks(directory));
    Files.writeString(
        networks(directory).resolve("10-pods.conflist"),
        """
        {"cniVersion": "1.0.0", "name": "pods", "plugins": [{"type": "ptp",
          "ipam": {"type": "host-local", "dataDir": "%s",
            "ranges": [[{"subnet": "10.126.252.0/24"}]], "routes": [{"dst": "0.0.0.0/0"}]}}]}
        """
            .formatted(directory.resolve("addresses")));
    return new VmRuntimeHost(directory);
  }

  private static Path networks(Path directory) {
    return directory.resolve("net.d");
  }

  Path socket() {
    return directory.resolve("vm.sock");
  }

  VmRuntimeConfig config() {
    return VmRuntimeConfig.usual("1.0")
        .at(socket(), directory.resolve("vm"))
        .withKernels(List.of(KERNEL.toAbsolutePath().normalize()))
        .withNetwork(networks(directory), List.of(PLUGINS));
  }

  /// No process, mount, network device or record of a pod.
  void assertNothingIsLeft() throws IOException {
    assertThat(processes()).as("processes").isEmpty();
    assertThat(Files.readString(Path.of("/proc/self/mountinfo")))
        .as("mounts")
        .doesNotContain(directory.toString());
    for (String records :
        List.of("machines", "state/networks", "state/pods/sandboxes", "state/pods/containers")) {
      assertThat(entries(directory.resolve("vm").resolve(records))).as(records).isEmpty();
    }
    assertThat(entries(directory.resolve("addresses/pods")))
        .as("addresses")
        .allMatch(name -> name.startsWith("l"));
  }

  private List<String> processes() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      return all.filter(process -> String.valueOf(process.getFileName()).matches("\\d+"))
          .filter(this::worksHere)
          .map(Path::toString)
          .toList();
    }
  }

  private boolean worksHere(Path process) {
    try {
      return Files.readSymbolicLink(process.resolve("cwd")).startsWith(directory);
    } catch (IOException _) {
      // It ended meanwhile.
      return false;
    }
  }

  private static List<String> entries(Path place) throws IOException {
    if (!Files.exists(place)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(place)) {
      return all.map(path -> String.valueOf(path.getFileName())).toList();
    }
  }
}
