package dev.berth.checks.guest;

import dev.berth.checks.containerd.TestImages;
import dev.berth.cli.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The disk of a guest: containerd with runc and crun, the JDK and the class path of this process,
/// and what starts them.
final class GuestDisk {
  private static final Path BUSYBOX = Path.of("/usr/bin/busybox");
  private static final List<Path> PROGRAMS =
      Stream.of(
              "/usr/bin/containerd",
              "/usr/bin/containerd-shim-runc-v2",
              "/usr/bin/ctr",
              "/usr/sbin/runc",
              "/usr/bin/crun",
              "/usr/lib/cni/ptp",
              "/usr/lib/cni/host-local",
              "/usr/lib/cni/loopback")
          .map(Path::of)
          .toList();

  /// It is well above what is on it.
  private static final int MEBIBYTES = 1200;

  private final GuestFiles files;

  GuestDisk(Path directory) {
    this.files = new GuestFiles(directory);
  }

  static boolean isUsable() {
    return Stream.concat(PROGRAMS.stream(), Stream.of(BUSYBOX)).allMatch(Files::isExecutable);
  }

  static Path busybox() {
    return BUSYBOX;
  }

  /// @param kubeconfig of the node
  /// @param port of the node
  /// @param flags of `berth agent`, beside those that every guest needs
  Path write(GuestSystem system, String kubeconfig, int port, String flags) throws IOException {
    for (String directory :
        List.of(
            "dev", "proc", "sys", "run", "tmp", "root", "var/lib", "opt", "usr/bin", "usr/sbin")) {
      Files.createDirectories(files.root().resolve(directory));
    }
    system.prepare(files);
    copyBusybox();
    for (Path program : PROGRAMS) {
      files.copyProgram(program);
    }
    copyJdk(Path.of(System.getProperty("java.home")));
    files.write("etc/node.kubeconfig", kubeconfig);
    files.write(
        "etc/passwd", "root:x:0:0:root:/root:/bin/sh\nmessagebus:x:101:101::/:/bin/false\n");
    files.write("etc/group", "root:x:0:\nmessagebus:x:101:\n");
    files.write("etc/hosts", "127.0.0.1 localhost guest\n");
    files.write("etc/hostname", "guest\n");
    files.write("etc/resolv.conf", "");
    files.write("etc/containerd.toml", containerd(system));
    files.write("etc/cni/10-test.conflist", NETWORK);
    TestImages.write(files.root().resolve("images.tar"));
    files.program("start", start(copyClassPath(), port, flags));
    return files.writeDisk(MEBIBYTES);
  }

  /// It ends itself after a quarter of an hour, even if nobody is left to end it.
  private static String start(String classPath, int port, String flags) {
    return """
        #!/bin/sh
        export PATH=/jdk/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
        (sleep 900; poweroff -f) &
        ip link set lo up
        ip addr add 10.0.2.15/24 dev eth0
        ip link set eth0 up
        nc -ll -p %d -e /bin/sh &
        nc -ll -p %d -e /bin/nc 127.0.0.1 %d &
        containerd -c /etc/containerd.toml -l warn >/dev/console 2>&1 &
        until ctr -n k8s.io images import /images.tar >/dev/null 2>&1; do usleep 200000; done &
        java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions \\
          -XX:-BytecodeVerificationRemote -Xmx256m --enable-native-access=ALL-UNNAMED \\
          -cp '%s' %s agent --kubeconfig /etc/node.kubeconfig --node-name guest --node-ip 127.0.0.1 --port %d \\
          --data-dir /var/lib/berth --container-runtime-endpoint unix:///run/containerd/containerd.sock %s \\
          >/dev/console 2>&1
        poweroff -f
        """
        .formatted(
            Guest.SHELL_PORT, Guest.NODE_PORT, port, classPath, Main.class.getName(), port, flags);
  }

  private void copyBusybox() throws IOException {
    files.copy(BUSYBOX, "bin/busybox");
    for (String tool : GuestFiles.run(BUSYBOX + " --list").lines().toList()) {
      Path link = files.root().resolve("bin").resolve(tool);
      if (!Files.exists(link)) {
        Files.createSymbolicLink(link, Path.of("busybox"));
      }
    }
  }

  private void copyJdk(Path home) throws IOException {
    for (String part : List.of("bin", "conf", "lib")) {
      files.copyDirectory(home.resolve(part), "jdk/" + part, List.of("src.zip", "ct.sym"));
    }
    files.copyLibraries(home.resolve("bin/java"));
    files.copyLibraries(home.resolve("lib/server/libjvm.so"));
    try (Stream<Path> libraries = Files.list(home.resolve("lib"))) {
      for (Path library :
          libraries
              .filter(one -> one.toString().matches(".*/lib(java|jimage|net|nio|zip)\\.so"))
              .toList()) {
        files.copyLibraries(library);
      }
    }
  }

  private String copyClassPath() throws IOException {
    List<String> places = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path from = Path.of(entry);
      if (from.endsWith("test-classes")) {
        continue;
      }
      String place = "app/%d-%s".formatted(places.size(), from.getFileName());
      if (Files.isDirectory(from)) {
        files.copyDirectory(from, place, List.of());
      } else if (Files.exists(from)) {
        files.copy(from, place);
      }
      places.add("/" + place);
    }
    return String.join(":", places);
  }

  private static final String NETWORK =
      """
      {"cniVersion": "0.4.0", "name": "test", "plugins": [{
        "type": "ptp",
        "ipam": {"type": "host-local", "dataDir": "/run/addresses", "ranges": [[{"subnet": "10.99.0.0/24"}]]}
      }]}
      """;

  private static String containerd(GuestSystem system) {
    StringBuilder text =
        new StringBuilder(
            """
            version = 2
            [plugins."io.containerd.grpc.v1.cri"]
              sandbox_image = "%s"
              disable_apparmor = true
              stats_collect_period = 1
              [plugins."io.containerd.grpc.v1.cri".cni]
                bin_dir = "/usr/lib/cni"
                conf_dir = "/etc/cni"
              [plugins."io.containerd.grpc.v1.cri".containerd]
                default_runtime_name = "runc"
                snapshotter = "overlayfs"
            """
                .formatted(TestImages.PAUSE));
    for (String handler : List.of("runc", "crun")) {
      text.append(
          """
              [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.%s]
                runtime_type = "io.containerd.runc.v2"
                [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.%s.options]
                  BinaryName = "%s"
                  SystemdCgroup = %s
          """
              .formatted(handler, handler, handler, system == GuestSystem.SYSTEMD));
    }
    return text.toString();
  }
}
