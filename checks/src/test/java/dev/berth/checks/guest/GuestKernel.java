package dev.berth.checks.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Debian's kernel for virtual machines as `./dev` unpacked it, and the first file system that the
/// kernel gets: it loads modules and goes over to the disk.
///
/// @param image what is booted
/// @param modules the directory of its version
record GuestKernel(Path image, Path modules) {
  /// Where `./dev` unpacks packages.
  static final Path UNPACKED = Path.of("../target/guest");

  private static final List<String> NEEDED =
      List.of("virtio_pci", "virtio_blk", "virtio_net", "veth", "overlay");

  static Optional<GuestKernel> find() {
    try (Stream<Path> images = Files.list(UNPACKED.resolve("boot"))) {
      return images
          .filter(file -> file.getFileName().toString().startsWith("vmlinuz-"))
          .map(
              file ->
                  new GuestKernel(
                      file,
                      UNPACKED
                          .resolve("lib/modules")
                          .resolve(file.getFileName().toString().substring("vmlinuz-".length()))))
          .filter(kernel -> Files.exists(kernel.modules.resolve("modules.dep")))
          .findFirst();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /// Writes the first file system.
  ///
  /// @param directory for its parts
  Path writeStart(Path directory, Path busybox) throws IOException {
    GuestFiles files = new GuestFiles(directory);
    files.copy(busybox, "bin/busybox");
    List<String> lines = new ArrayList<>();
    for (String module : inOrder()) {
      String name = "modules/" + Path.of(module).getFileName();
      files.copy(modules.resolve(module), name);
      lines.add("/bin/busybox insmod /" + name);
    }
    for (String directoryName : List.of("dev", "proc", "sys", "disk")) {
      Files.createDirectories(directory.resolve(directoryName));
    }
    files.program(
        "init",
        """
        #!/bin/busybox sh
        b=/bin/busybox
        $b mount -t devtmpfs dev /dev
        $b mount -t proc proc /proc
        $b mount -t sysfs sys /sys
        %s
        $b mount -t ext4 /dev/vda /disk
        for one in dev proc sys; do $b mount --move /$one /disk/$one; done
        exec $b switch_root /disk /sbin/init
        """
            .formatted(String.join("\n", lines)));
    Path archive = directory.resolveSibling("start.cpio");
    GuestFiles.run(
        "cd '%s' && '%s' find . | '%s' cpio -o -H newc > '%s' 2>/dev/null"
            .formatted(directory, busybox, busybox, archive));
    return archive;
  }

  /// Each after those that it depends on; what is built into the kernel is no module.
  private Set<String> inOrder() throws IOException {
    Map<String, List<String>> dependencies =
        Files.readAllLines(modules.resolve("modules.dep")).stream()
            .map(line -> line.split(":", 2))
            .collect(
                Collectors.toMap(
                    parts -> parts[0],
                    parts ->
                        Arrays.stream(parts[1].split(" ", -1)).filter(p -> !p.isBlank()).toList(),
                    (a, _) -> a,
                    TreeMap::new));
    Set<String> order = new LinkedHashSet<>();
    for (String name : NEEDED) {
      dependencies.forEach(
          (file, others) -> {
            if (file.matches(".*/" + name + "\\.ko(\\.[a-z]+)?")) {
              order.addAll(others.reversed());
              order.add(file);
            }
          });
    }
    return order;
  }
}
