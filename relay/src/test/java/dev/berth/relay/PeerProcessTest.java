package dev.berth.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PeerProcessTest {
  private static final InetSocketAddress HERE = InetSocketAddress.createUnresolved("h", 0x1F90);
  private static final InetSocketAddress THERE = InetSocketAddress.createUnresolved("h", 0xC001);

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0100007F:1F90 0100007F:C001 01 | false",
        "0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000100007F:C001 01 | false",
        "0100007F:1F90 0100007F:C001 08 | true",
        "0100007F:C001 0100007F:1F90 01 | true",
        "0100007F:1F90 0100007F:C002 01 | true",
      })
  void whoHasSaidGoodbyeHasLeft(String entry, boolean hasLeft) throws IOException {
    assertThat(peers(entry + " 00000000:00").hasLeft(HERE, THERE)).isEqualTo(hasLeft);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0100007F:1F90 0100007F:C001 01 00000000:00000000 | false",
        "0100007F:1F90 0100007F:C001 01 0004A2F1:00000000 | true",
        "0100007F:1F90 0100007F:C001 04 00000001:00000000 | true",
        "0100007F:1F90 0100007F:C001 05 00000000:00000007 | false",
        "0100007F:C001 0100007F:1F90 01 0004A2F1:00000000 | false",
      })
  void whoHasNotTakenEverythingIsBehind(String entry, boolean isBehind) throws IOException {
    assertThat(peers(entry + " 00:00000000").isBehind(HERE, THERE)).isEqualTo(isBehind);
  }

  private PeerProcess peers(String entry) throws IOException {
    Path table = directory.resolve("tcp");
    Files.writeString(
        table, "  sl  local_address rem_address   st tx_queue\n   0: " + entry + "\n");
    return new PeerProcess(List.of(table));
  }

  @Test
  void whereNothingIsKnownNobodyHasLeftOrIsBehind() {
    PeerProcess unknown = new PeerProcess(List.of(directory.resolve("none")));

    assertThat(unknown.hasLeft(HERE, THERE)).isFalse();
    assertThat(unknown.isBehind(HERE, THERE)).isFalse();
  }
}
