package dev.berth.vm.kernel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A guest whose program is a shell: it runs the lines that come through its port and answers with
/// their output and a line `END`.
public final class ShellGuest {
  private static final Path BUSYBOX = Path.of("/bin/busybox");
  private static final List<String> MODULES =
      List.of("virtio_mmio", "virtio_blk", "virtio_console", "virtio_net", "erofs", "ext4");

  private static final String INIT =
      """
      #!/bin/busybox sh
      /bin/busybox mkdir -p /sbin /usr/bin /usr/sbin
      /bin/busybox --install -s
      mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t devtmpfs dev /dev
      while read m; do insmod /modules/$m; done < /modules/order
      disk() { for b in /sys/block/vd*; do
        [ "$(cat $b/serial)" = $1 ] && echo /dev/${b##*/}; done; }
      mount -t ext4 $(disk scratch) /scratch
      for p in /sys/class/virtio-ports/*; do
        [ "$(cat $p/name)" = dev.berth.agent ] && port=/dev/${p##*/}; done
      echo READY
      exec 3<>$port
      while :; do
        if read -r line <&3; then
          eval "$line" >/tmp/out 2>&1; cat /tmp/out >&3; echo END >&3
        else usleep 5000; fi
      done
      """;

  private ShellGuest() {}

  /// Where `./dev` unpacks the kernel for tests, seen from a module's directory or the root.
  public static Path kernelRoot() {
    Path here = Path.of("target/guest").toAbsolutePath();
    return Files.isDirectory(here.resolve("boot"))
        ? here
        : Path.of("../target/guest").toAbsolutePath().normalize();
  }

  public static GuestFiles make(Path directory) throws IOException {
    KernelInstallation kernel = KernelInstallation.find(List.of(kernelRoot()));
    ModuleOrder order =
        new ModuleOrder(
            Files.readAllLines(kernel.modules().resolve("modules.dep")),
            Files.readAllLines(kernel.modules().resolve("modules.builtin")));
    CpioArchive archive = new CpioArchive();
    List.of("bin", "dev", "proc", "sys", "tmp", "mnt", "scratch", "modules")
        .forEach(archive::directory);
    archive.device("dev/console", 5, 1);
    archive.program("bin/busybox", Files.readAllBytes(BUSYBOX));
    archive.program("init", INIT.getBytes(StandardCharsets.UTF_8));
    StringBuilder names = new StringBuilder();
    for (String path : order.load(MODULES)) {
      String name = ModuleOrder.name(path) + ".ko";
      archive.file("modules/" + name, ModuleFile.read(kernel.modules().resolve(path)));
      names.append(name).append('\n');
    }
    archive.file("modules/order", names.toString().getBytes(StandardCharsets.UTF_8));
    Path initramfs = directory.resolve("initramfs");
    Files.write(initramfs, archive.finish());
    return new GuestFiles(kernel.image(), initramfs, "shell");
  }
}
