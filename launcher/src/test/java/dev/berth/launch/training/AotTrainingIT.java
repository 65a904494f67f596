package dev.berth.launch.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.launch.agent.NodeDown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The life that a build lives once for the sake of later starts.
class AotTrainingIT {
  @TempDir private Path directory;

  @Test
  void everythingIsUsedAndNothingStaysMounted() throws IOException {
    assertThat(new AotTraining(10, 1).play(directory)).isTrue();
    NodeDown.run(directory, Duration.ZERO, _ -> {});
    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(directory.toString());
  }
}
