package dev.berth.checks.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What is the first process of a guest.
enum GuestSystem {
  /// A script that mounts what there has to be.
  SCRIPT {
    @Override
    void prepare(GuestFiles files) throws IOException {
      files.program(
          "sbin/init",
          """
          #!/bin/sh
          mount -t tmpfs run /run
          mount -t tmpfs tmp /tmp
          mkdir -p /dev/shm /dev/pts
          mount -t tmpfs shm /dev/shm
          mount -t devpts pts /dev/pts
          ln -s /proc/self/fd /dev/fd
          for one in 0:stdin 1:stdout 2:stderr; do ln -s /proc/self/fd/${one%:*} /dev/${one#*:}; done
          mount -t cgroup2 cgroup /sys/fs/cgroup
          hostname guest
          /start
          """);
    }
  },

  /// Debian's systemd with its bus, and no other service.
  SYSTEMD {
    @Override
    void prepare(GuestFiles files) throws IOException {
      GuestFiles.run(
          "cd '%s' && find . -path ./boot -prune -o -path ./lib/modules -prune -o -print0 | tar -c --null --no-recursion -T - | tar -x -C '%s'"
              .formatted(GuestKernel.UNPACKED, files.root()));
      Files.createDirectories(files.root().resolve("sbin"));
      Files.createSymbolicLink(files.root().resolve("sbin/init"), Path.of("/lib/systemd/systemd"));
      files.write("etc/machine-id", "0123456789abcdef0123456789abcdef\n");
      unit(files, "default.target", "AllowIsolate=yes\nWants=dbus.socket node.service");
      unit(
          files,
          "node.service",
          "After=dbus.socket\nWants=dbus.socket\n[Service]\nExecStart=/start\nKillMode=process");
      unit(files, "dbus.socket", "[Socket]\nListenStream=/run/dbus/system_bus_socket");
      unit(
          files,
          "dbus.service",
          "Requires=dbus.socket\n[Service]\nType=notify\nExecStart=/usr/bin/dbus-daemon --system"
              + " --address=systemd: --nofork --nopidfile --systemd-activation");
    }
  };

  /// Without those that services usually need, because none of them is started.
  private static void unit(GuestFiles files, String name, String text) throws IOException {
    files.write("etc/systemd/system/" + name, "[Unit]\nDefaultDependencies=no\n" + text + "\n");
  }

  boolean isUsable() {
    return this == SCRIPT || Files.exists(GuestKernel.UNPACKED.resolve("lib/systemd/systemd"));
  }

  abstract void prepare(GuestFiles files) throws IOException;
}
