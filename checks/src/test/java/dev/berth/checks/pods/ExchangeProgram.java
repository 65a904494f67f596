package dev.berth.checks.pods;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// The smallest hostile program: exchanges two names all the time. It is a whole ELF file for Linux
/// on x86-64, because images of tests have no program that calls `renameat2`.
final class ExchangeProgram {
  private static final int HEADERS = 64 + 56;
  private static final long ADDRESS = 0x400000;

  private ExchangeProgram() {}

  /// For `base64 -d` in a container.
  static String base64(String one, String other) {
    return Base64.getEncoder().encodeToString(file(one, other));
  }

  private static byte[] file(String one, String other) {
    byte[] code = code(one.length() + 1);
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    rest.writeBytes(code);
    rest.writeBytes((one + "\0" + other + "\0").getBytes(StandardCharsets.US_ASCII));
    int size = HEADERS + rest.size();
    return ByteBuffer.allocate(size)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0})
        .putShort((short) 2) // An executable
        .putShort((short) 62) // for x86-64.
        .putInt(1)
        .putLong(ADDRESS + HEADERS)
        .putLong(64)
        .putLong(0)
        .putInt(0)
        .putShort((short) 64)
        .putShort((short) 56)
        .putShort((short) 1)
        .putShort((short) 0)
        .putShort((short) 0)
        .putShort((short) 0)
        .putInt(1) // Loaded
        .putInt(5) // to be read and executed.
        .putLong(0)
        .putLong(ADDRESS)
        .putLong(ADDRESS)
        .putLong(size)
        .putLong(size)
        .putLong(0x1000)
        .put(rest.toByteArray())
        .array();
  }

  /// `for (;;) renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE)`; the names follow.
  private static byte[] code(int firstName) {
    int length = 44;
    return ByteBuffer.allocate(length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) 0xb8)
        .putInt(316)
        .put((byte) 0xbf)
        .putInt(-100)
        .put(new byte[] {0x48, (byte) 0x8d, 0x35})
        .putInt(length - 17)
        .put((byte) 0xba)
        .putInt(-100)
        .put(new byte[] {0x4c, (byte) 0x8d, 0x15})
        .putInt(length - 29 + firstName)
        .put(new byte[] {0x41, (byte) 0xb8})
        .putInt(2)
        .put(new byte[] {0x0f, 0x05})
        .put(new byte[] {(byte) 0xeb, (byte) -(length - 5)})
        .put(new byte[] {(byte) 0x90, (byte) 0x90, (byte) 0x90, (byte) 0x90, (byte) 0x90})
        .array();
  }
}
