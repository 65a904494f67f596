package dev.berth.launch.containerd.programs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/// Distinguishes statically linked programs from dynamically linked ones.
final class StaticProgram {
  private static final int ELF = 0x464c457f;

  /// The type PT_INTERP of a program header, which names the dynamic linker.
  private static final int INTERPRETER = 3;

  private StaticProgram() {}

  /// Whether its ELF header names no interpreter; only 64-bit programs are read.
  static boolean is(Path program) {
    try {
      ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(program)).order(ByteOrder.LITTLE_ENDIAN);
      if (file.limit() < 64 || file.getInt(0) != ELF) {
        return false;
      }
      // Fields of a 64-bit ELF header: place, size and number of the program headers.
      int offset = (int) file.getLong(32);
      int size = file.getShort(54);
      int count = file.getShort(56);
      for (int i = 0; i < count; i++) {
        if (file.getInt(offset + i * size) == INTERPRETER) {
          return false;
        }
      }
      return true;
    } catch (IOException | IndexOutOfBoundsException e) {
      return false;
    }
  }
}
