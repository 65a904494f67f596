package dev.berth.vm.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class CpioArchiveTest {
  @Test
  void anEntryHasItsHeaderNameAndContentAtMultiplesOfFour() {
    byte[] archive =
        new CpioArchive().file("ab", "hello".getBytes(StandardCharsets.UTF_8)).finish();

    String text = new String(archive, StandardCharsets.ISO_8859_1);
    assertThat(text)
        .startsWith("070701" + "00000001" + "000081A4" + "00000000".repeat(2) + "00000001")
        .contains("00000005");
    // The header has 110 bytes; with the name and its zero 113, so three more follow.
    assertThat(text.substring(110, 116)).isEqualTo("ab\0\0\0\0");
    assertThat(text.substring(116, 124)).isEqualTo("hello\0\0\0");
    assertThat(text.substring(124)).startsWith("070701").contains("TRAILER!!!");
    assertThat(archive.length % 4).isZero();
  }

  @Test
  void theSameEntriesGiveTheSameBytes() {
    assertThat(new CpioArchive().directory("dev").device("dev/console", 5, 1).finish())
        .isEqualTo(new CpioArchive().directory("dev").device("dev/console", 5, 1).finish());
  }
}
