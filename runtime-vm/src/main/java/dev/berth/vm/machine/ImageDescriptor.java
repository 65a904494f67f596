package dev.berth.vm.machine;

import java.util.List;

/// The description of a disk that consists of files one behind the other, in VMware's format, which
/// QEMU reads.
final class ImageDescriptor {
  static final int SECTOR = 512;

  private ImageDescriptor() {}

  /// There is no empty line: QEMU reads the extent after it twice, and moves all that follow.
  ///
  /// @param slot whose extents are named `imageN-0`, `imageN-1` and so on
  /// @param sizes of the extents in bytes
  /// @param total what the guest takes for the size of the disk; the rest reads as zeros
  static String text(int slot, List<Long> sizes, long total) {
    StringBuilder text =
        new StringBuilder(
            """
            # Disk DescriptorFile
            version=1
            CID=fffffffe
            parentCID=ffffffff
            createType="twoGbMaxExtentFlat"
            """);
    long rest = total / SECTOR;
    for (int i = 0; i < sizes.size(); i++) {
      long sectors = sizes.get(i) / SECTOR;
      text.append("RW %d FLAT \"%s\" 0%n".formatted(sectors, extent(slot, i)));
      rest -= sectors;
    }
    return text.append("RW %d ZERO%n".formatted(rest)).toString();
  }

  static String extent(int slot, int index) {
    return "image%d-%d".formatted(slot, index);
  }

  static String file(int slot) {
    return "image%d.vmdk".formatted(slot);
  }
}
