package dev.berth.vm.guest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.vm.kernel.GuestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The disks of a test's machine, and QEMU with them.
final class MachineDisks {
  private static final Path BUSYBOX = Path.of("/bin/busybox");
  private static final String MEMORY = "256M";
  private static final String ARGUMENTS =
      "console=ttyS0 tsc_early_khz=1000000 tsc=reliable no_timer_check random.trust_cpu=on"
          + " reboot=t panic=-1 oops=panic rdinit=/init";

  private MachineDisks() {}

  static void make(Path directory) throws IOException {
    Path root = Files.createDirectory(directory.resolve("root"));
    for (String name : List.of("bin", "etc", "tmp", "data", "home", "proc", "sys", "dev")) {
      Files.createDirectory(root.resolve(name));
    }
    Files.copy(BUSYBOX, root.resolve("bin/busybox"));
    root.resolve("bin/busybox").toFile().setExecutable(true, false);
    for (String applet : run(directory, BUSYBOX.toString(), "--list").split("\n", -1)) {
      if (!applet.isEmpty() && !applet.equals("busybox")) {
        Files.createSymbolicLink(root.resolve("bin/" + applet), Path.of("busybox"));
      }
    }
    Files.writeString(
        root.resolve("etc/passwd"),
        "root:x:0:0:root:/root:/bin/sh\nweb:x:1000:1000:web:/home/web:/bin/sh\n");
    Files.writeString(
        root.resolve("etc/group"), "root:x:0:\nweb:x:1000:\nlogs:x:2000:web\nextra:x:3000:web\n");
    Files.createSymbolicLink(root.resolve("data/outside"), Path.of("/etc"));
    run(directory, "mkfs.erofs", "--all-root", "-x-1", "image0", "root");
    Path other = Files.createDirectory(directory.resolve("other"));
    Files.writeString(other.resolve("model"), "weights");
    run(directory, "mkfs.erofs", "--all-root", "-x-1", "image1", "other");
    Files.write(directory.resolve("image2"), new byte[4096]);
    run(directory, "truncate", "-s", "128M", "scratch");
    run(directory, "/sbin/mkfs.ext4", "-q", "-E", "lazy_itable_init=1", "scratch");
  }

  static Process start(Path qemu, GuestFiles files, Path directory) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(qemu.toString());
    command.addAll(List.of("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"));
    command.addAll(List.of("-machine", "microvm,acpi=on,isa-serial=on,ioapic2=on"));
    command.addAll(List.of("-accel", "tcg", "-cpu", "qemu64", "-m", MEMORY, "-smp", "1"));
    command.addAll(List.of("-serial", "file:console", "-device", "virtio-serial-device"));
    command.addAll(List.of("-chardev", "socket,id=agent,server=on,wait=off,path=agent.sock"));
    command.addAll(List.of("-device", "virtserialport,chardev=agent,name=dev.berth.agent"));
    for (String disk : List.of("image0", "image1", "image2", "scratch")) {
      String access = disk.equals("scratch") ? "" : ",readonly=on";
      command.addAll(
          List.of("-drive", "if=none,format=raw,id=%1$s,file=%1$s".formatted(disk) + access));
      command.addAll(
          List.of("-device", "virtio-blk-device,serial=%1$s,drive=%1$s".formatted(disk)));
    }
    // A network of this process alone, without a way out.
    command.addAll(List.of("-netdev", "user,id=network,restrict=on"));
    command.addAll(List.of("-device", "virtio-net-device,netdev=network,mac=02:00:00:00:00:01"));
    command.addAll(List.of("-object", "rng-builtin,id=random"));
    command.addAll(List.of("-device", "virtio-rng-device,rng=random"));
    command.addAll(List.of("-kernel", files.kernel().toAbsolutePath().toString()));
    command.addAll(List.of("-initrd", files.initramfs().toAbsolutePath().toString()));
    command.addAll(List.of("-append", ARGUMENTS));
    Files.deleteIfExists(directory.resolve("console"));
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("qemu.log").toFile())
        .start();
  }

  private static String run(Path directory, String... command) throws IOException {
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new AssertionError("%s: %s".formatted(List.of(command), output));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return output;
  }
}
