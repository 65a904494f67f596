package dev.berth.launch.runtimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtimes.registration.RuntimeDeclaration;
import dev.berth.api.pods.WorkloadType;
import dev.berth.cri.CriEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UsedRuntimesTest {
  @TempDir private Path directory;

  @Test
  void theRecordIsReplacedAndNeverChanged() throws IOException {
    UsedRuntimes used = new UsedRuntimes(directory);
    used.remember("node-1", List.of(runtime("one")));
    Path before = Files.createLink(directory.resolve("before"), directory.resolve("used-runtimes"));

    used.remember("node-1", List.of(runtime("two")));

    assertThat(before).hasContent("node node-1\nruntime unix:///run/one.sock\n");
    assertThat(used.endpoints()).containsExactly("unix:///run/one.sock", "unix:///run/two.sock");
  }

  private static RuntimeDeclaration runtime(String name) {
    return new RuntimeDeclaration(
        name,
        WorkloadType.CONTAINER,
        new CriEndpoint.UnixSocket(Path.of("/run/" + name + ".sock")));
  }
}
