package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `berth up` on a disk that is full or nearly so.
final class FullDiskIT {
  @TempDir private Path disk;
  private boolean mounted;

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=16m", "berth-test", disk.toString());
    assumeTrue(mounted, "a small file system cannot be mounted: this needs root and mount(8)");
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    if (mounted) {
      assertThat(run("umount", "--lazy", disk.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 60, 130, 200})
  void aFirstStartThatLacksSpaceSaysSoInASentence(int kibibytes) throws Exception {
    Path data = Files.createDirectory(disk.resolve("data"));
    fill(kibibytes);
    try (BerthProcess berth = BerthProcess.up(data)) {
      assertThat(berth.exitCode()).isEqualTo(1);
      assertThat(berth.errors())
          .containsPattern("(?m)^berth: ")
          .containsAnyOf("Free space on the file system of " + data, "Free some space")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void aServerStartsAgainOnADiskThatBecameFull() throws Exception {
    Path data = disk.resolve("data");
    int port;
    try (BerthProcess berth = BerthProcess.up(data)) {
      port = berth.awaitPort();
      assertThat(berth.terminate()).isEqualTo(143);
    }
    // What SQLite needs to have its file open.
    fill(40);
    try (BerthProcess berth = BerthProcess.up(data, "--secure-port=" + port)) {
      berth.awaitGreeting();
      berth.terminate();
    }
  }

  private void fill(int kibibytesFree) throws IOException {
    Path filler = disk.resolve("filler");
    try (OutputStream out = Files.newOutputStream(filler)) {
      byte[] block = new byte[4 << 10];
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
    try (FileChannel channel = FileChannel.open(filler, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - kibibytesFree * 1024L);
    }
  }
}
