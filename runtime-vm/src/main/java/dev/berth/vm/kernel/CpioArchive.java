package dev.berth.vm.kernel;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Writes the archive that a Linux kernel unpacks into its first file system: cpio, format `newc`.
/// The same entries give the same bytes: no times, users or inode numbers of this host.
final class CpioArchive {
  private static final int DIRECTORY = 0040755;
  private static final int PROGRAM = 0100755;
  private static final int FILE = 0100644;
  private static final int DEVICE = 0020600;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 22);
  private int inode;

  /// @param name without a leading slash, as in all entries; parents come first
  CpioArchive directory(String name) {
    return entry(name, DIRECTORY, 0, 0, new byte[0]);
  }

  CpioArchive program(String name, byte[] content) {
    return entry(name, PROGRAM, 0, 0, content);
  }

  CpioArchive file(String name, byte[] content) {
    return entry(name, FILE, 0, 0, content);
  }

  /// A character device.
  CpioArchive device(String name, int major, int minor) {
    return entry(name, DEVICE, major, minor, new byte[0]);
  }

  byte[] finish() {
    entry("TRAILER!!!", 0, 0, 0, new byte[0]);
    return bytes.toByteArray();
  }

  private CpioArchive entry(String name, int mode, int major, int minor, byte[] content) {
    byte[] nameBytes = (name + "\0").getBytes(StandardCharsets.UTF_8);
    int[] fields = {
      ++inode, mode, 0, 0, 1, 0, content.length, 0, 0, major, minor, nameBytes.length, 0
    };
    StringBuilder header = new StringBuilder("070701");
    for (int field : fields) {
      header.append(String.format(Locale.ROOT, "%08X", field));
    }
    bytes.writeBytes(header.toString().getBytes(StandardCharsets.US_ASCII));
    bytes.writeBytes(nameBytes);
    pad();
    bytes.writeBytes(content);
    pad();
    return this;
  }

  /// Names and contents end at a multiple of four.
  private void pad() {
    while (bytes.size() % 4 != 0) {
      bytes.write(0);
    }
  }
}
