package dev.berth.vm.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.vm.machine.MachineExit.ExitReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is on disk about a machine.
final class MachineFilesTest {
  @TempDir Path home;

  @Test
  void aRecordComesBackAsItWasWritten() throws IOException {
    MachineDirectory directory = MachineDirectory.of(home, "pod");
    directory.create();
    MachineRecord reserved = MachineRecord.reserved("pod", 70001);
    MachineRecord starting =
        reserved.starting(new MachineSize(128, 2), true, List.of(Path.of("/sys/fs/cgroup/a")));
    MachineRecord running = starting.running(new ProcessIdentity(7, 8, "boot"));
    MachineRecord ended = running.ended(new MachineExit(ExitReason.KILLED, "why"));

    for (MachineRecord record : List.of(reserved, starting, running, ended)) {
      directory.write(record);
      assertThat(directory.record()).contains(record);
    }
    directory.delete();
    assertThat(directory.record()).isEmpty();
    assertThat(directory.path()).doesNotExist();
  }

  @Test
  void aDamagedRecordIsNone() throws IOException {
    MachineDirectory directory = MachineDirectory.of(home, "pod");
    directory.create();
    Files.writeString(directory.file("machine.json"), "{\"sandboxId\":");

    assertThat(directory.record()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "a/b", "-a", ".a", "a\0b"})
  void anIdentifierIsTheNameOfADirectory(String sandboxId) {
    assertThatThrownBy(() -> MachineDirectory.of(home, sandboxId))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void longIdentifiersLeaveRoomForTheNameOfASocket() {
    assertThat(MachineDirectory.of(home, "0123456789".repeat(6)).path().getFileName().toString())
        .isEqualTo("012345678901234567890123");
  }

  @Test
  void theLowestFreeUserIsChosen() {
    QemuSettings settings = new QemuSettings(home, home, home, 70000, 4);

    assertThat(UserIds.choose(settings, Set.of(70000, 70002))).isEqualTo(70001);
    assertThat(settings.templateUser()).isEqualTo(70003);
    assertThatThrownBy(() -> UserIds.choose(settings, Set.of(70000, 70001, 70002)))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("all 3 user ids from 70000 on are in use");
  }

  @Test
  void theOldestPartOfALongConsoleIsGone() {
    int limit = 1 << 16;
    ByteBuffer ring = ByteBuffer.allocate(8 + limit).order(ByteOrder.LITTLE_ENDIAN);
    String text = "cut off\n" + "x".repeat(limit - 9) + "\nlast\n";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ring.putLong(0, bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      ring.put(8 + i % limit, bytes[i]);
    }

    assertThat(ConsoleRing.text(ring.array())).isEqualTo("x".repeat(limit - 9) + "\nlast\n");
    assertThat(ConsoleRing.text(new byte[3])).isEmpty();
    assertThat(ConsoleRing.lastLines("a\nb\nc\n", 2)).isEqualTo("b | c");
  }

  /// The keeper writes it, which a QEMU that its guest took over might disturb.
  @Test
  void aRingWithAWrongLengthIsRead() {
    ByteBuffer ring = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);

    assertThat(ConsoleRing.text(ring.putLong(0, Long.MAX_VALUE).array())).isEmpty();
    assertThat(ConsoleRing.text(ring.putLong(0, -1).array())).isEmpty();
  }

  @Test
  void aDiskIsItsExtentsAndThenZeros() {
    assertThat(ImageDescriptor.text(2, List.of(512L, 8192L), 1L << 20))
        .endsWith("RW 1 FLAT \"image2-0\" 0\nRW 16 FLAT \"image2-1\" 0\nRW 2031 ZERO\n");
  }

  @Test
  void anEmptyOverlayHasTheSizeOfItsBase() {
    ByteBuffer image = ByteBuffer.wrap(OverlayImage.empty(10L << 30));

    assertThat(image.getInt(0)).isEqualTo(0x514649fb);
    assertThat(image.getLong(24)).isEqualTo(10L << 30);
    assertThat(image.getInt(36)).as("tables of the first level").isEqualTo(20);
  }
}
