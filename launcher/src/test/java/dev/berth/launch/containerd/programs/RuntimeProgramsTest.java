package dev.berth.launch.containerd.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RuntimeProgramsTest {
  @TempDir private Path directory;

  @Test
  void whatIsMissingIsNamed() throws IOException {
    program("containerd");
    program("crun");

    assertThat(find().missing()).containsExactly("ctr", "busybox", "setsid", "CNI plugins");
    assertThat(find().handlers()).containsOnlyKeys("crun");
  }

  @Test
  void nothingIsMissingWhenAllIsThere() throws IOException {
    for (String name :
        List.of("containerd", "ctr", "setsid", "crun", "runc", "ptp", "host-local", "loopback")) {
      program(name);
    }
    Files.write(program("busybox"), elf(1));

    assertThat(find().missing()).isEmpty();
    assertThat(find().handlers().keySet()).containsExactly("runc", "crun");
    assertThat(find().pluginDirectory()).isEqualTo(directory);
  }

  @Test
  void aBusyboxThatNeedsLibrariesDoesNotCount() throws IOException {
    Files.write(program("busybox"), elf(3));

    assertThat(find().missing()).contains("busybox");
  }

  private RuntimePrograms find() {
    return RuntimePrograms.find(
        List.of(directory), List.of(directory.resolve("absent"), directory));
  }

  private Path program(String name) throws IOException {
    Path file = Files.createFile(directory.resolve(name));
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  /// A 64-bit header with one segment of the given type, 3 for the name of an interpreter.
  private static byte[] elf(int segment) {
    ByteBuffer file = ByteBuffer.allocate(120).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(0, 0x464c457f).putLong(32, 64).putShort(54, (short) 56).putShort(56, (short) 1);
    return file.putInt(64, segment).array();
  }
}
