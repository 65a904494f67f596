package dev.berth.sim.shell;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// `tar cf - FILE...` and `tar xf - [-C DIRECTORY]`, which is what `kubectl cp` runs; text files
/// only.
final class TarCommand {
  private static final int BLOCK = 512;

  /// Bound of an archive that is extracted; the rest of a longer one is not read.
  private static final int MAX_BYTES = 64 * 1024 * 1024;

  private TarCommand() {}

  static int run(SimShell shell, List<String> arguments) {
    if (arguments.size() < 2 || !arguments.get(1).equals("-")) {
      return fail(shell, "only archives on the standard input and output are simulated");
    }
    List<String> rest = arguments.subList(2, arguments.size());
    return switch (arguments.getFirst().replaceFirst("^-", "").charAt(0)) {
      case 'c' -> create(shell, rest);
      case 'x' -> extract(shell, rest);
      default -> fail(shell, "only c and x are simulated");
    };
  }

  private static int create(SimShell shell, List<String> names) {
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    int status = 0;
    for (String name : names) {
      Optional<String> text = shell.processContext().files().read(name);
      if (text.isEmpty()) {
        status = fail(shell, name + ": No such file");
        continue;
      }
      byte[] content = text.get().getBytes(StandardCharsets.UTF_8);
      archive.writeBytes(header(name, content.length));
      archive.writeBytes(Arrays.copyOf(content, (content.length + BLOCK - 1) / BLOCK * BLOCK));
    }
    // Two empty blocks end an archive.
    archive.writeBytes(new byte[2 * BLOCK]);
    shell.output().write(ProcessOutput.STDOUT, archive.toByteArray());
    return status;
  }

  /// A header of the ustar format. Names beyond 100 bytes are cut.
  private static byte[] header(String name, int size) {
    byte[] header = new byte[BLOCK];
    // Leading slashes are left out, as every tar does.
    put(header, 0, name.replaceFirst("^/+", ""));
    put(header, 100, "0000644");
    put(header, 124, String.format(Locale.ROOT, "%011o", size));
    put(header, 136, "00000000000");
    // The checksum counts its own field as eight spaces.
    put(header, 148, "        ");
    put(header, 156, "0");
    put(header, 257, "ustar\00000");
    int sum = 0;
    for (byte octet : header) {
      sum += octet & 0xff;
    }
    put(header, 148, String.format(Locale.ROOT, "%06o\0 ", sum));
    return header;
  }

  private static void put(byte[] header, int offset, String text) {
    byte[] octets = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(octets, 0, header, offset, Math.min(octets.length, 100));
  }

  private static int extract(SimShell shell, List<String> options) {
    int at = options.indexOf("-C");
    String directory = at >= 0 && at + 1 < options.size() ? options.get(at + 1) : "/";
    ByteArrayOutputStream input = new ByteArrayOutputStream();
    for (byte[] bytes = shell.read();
        bytes.length > 0 && input.size() < MAX_BYTES;
        bytes = shell.read()) {
      input.writeBytes(bytes);
    }
    byte[] archive = input.toByteArray();
    int position = 0;
    while (position + BLOCK <= archive.length && archive[position] != 0) {
      int size = size(archive, position);
      if (size < 0 || position + BLOCK + size > archive.length) {
        return fail(shell, "short read");
      }
      byte type = archive[position + 156];
      // Directories, links and extended headers are skipped; their contents are still stepped over.
      if (type == '0' || type == 0) {
        String content = new String(archive, position + BLOCK, size, StandardCharsets.UTF_8);
        String name = directory + "/" + text(archive, position, 100);
        if (!shell.processContext().files().write(name, content, false)) {
          return fail(shell, name + ": Read-only file system");
        }
      }
      position += BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
    }
    return 0;
  }

  private static int size(byte[] archive, int header) {
    try {
      return Integer.parseInt(text(archive, header + 124, 12).strip(), 8);
    } catch (NumberFormatException _) {
      return -1;
    }
  }

  private static String text(byte[] archive, int from, int length) {
    int end = from;
    while (end < from + length && archive[end] != 0) {
      end++;
    }
    return new String(archive, from, end - from, StandardCharsets.UTF_8);
  }

  private static int fail(SimShell shell, String what) {
    return ShellCommands.fail(shell, "tar: " + what);
  }
}
