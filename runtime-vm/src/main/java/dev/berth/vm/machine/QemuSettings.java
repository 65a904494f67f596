package dev.berth.vm.machine;

import java.nio.file.Path;

/// Where machines live on this host.
///
/// @param directory for what is on disk about machines, such as `/var/lib/berth/vm/machines`; on
///   the file system of the images. QEMU needs no permission on the directories above
/// @param program `/usr/bin/qemu-system-x86_64`
/// @param cgroupRoot `/sys/fs/cgroup`
/// @param firstUser the first user id that nobody else on this host has
/// @param users how many user ids there are, which is the largest number of machines
public record QemuSettings(
    Path directory, Path program, Path cgroupRoot, int firstUser, int users) {
  public QemuSettings {
    directory = directory.toAbsolutePath().normalize();
    if (firstUser <= 0 || users <= 1) {
      throw new IllegalArgumentException(
          "user ids of virtual machines: first %d, number %d".formatted(firstUser, users));
    }
  }

  /// The last user id belongs to machines that are saved as templates.
  public int templateUser() {
    return firstUser + users - 1;
  }
}
