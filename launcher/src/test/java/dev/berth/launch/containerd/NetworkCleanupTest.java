package dev.berth.launch.containerd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NetworkCleanupTest {
  @Test
  void onlyWhatOurNetworkLeftIsDeleted(@TempDir Path results) throws IOException {
    Files.createFile(results.resolve("berth-1-aaa-eth0"));
    Files.createFile(results.resolve("cni-loopback-aaa-lo"));
    Files.createFile(results.resolve("other-bbb-eth0"));
    Files.createFile(results.resolve("cni-loopback-bbb-lo"));

    new NetworkCleanup(results, "berth-1").clear();

    assertThat(results)
        .isDirectoryContaining("glob:**other-bbb-eth0")
        .isDirectoryContaining("glob:**cni-loopback-bbb-lo")
        .isDirectoryNotContaining("glob:**aaa**");
  }

  @Test
  void aDirectoryThatIsNotThereHasNoRemains(@TempDir Path directory) throws IOException {
    new NetworkCleanup(directory.resolve("absent"), "berth-1").clear();

    assertThat(directory).isEmptyDirectory();
  }
}
