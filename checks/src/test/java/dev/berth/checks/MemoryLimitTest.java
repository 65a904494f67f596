package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `./berth` takes for the limit of its memory.
final class MemoryLimitTest {
  private static final String NONE_IN_VERSION_1 = "9223372036854771712";

  @TempDir private Path groups;

  @Test
  void aContainersLimitOfVersion2Counts() throws Exception {
    write("memory.max", "1073741824");

    assertThat(limit("0::/")).isEqualTo("1073741824");
  }

  @Test
  void theSmallestOfAServiceAndWhatIsAboveItCounts() throws Exception {
    write("system.slice/berth.service/memory.max", "max");
    write("system.slice/memory.max", "2147483648");

    assertThat(limit("0::/system.slice/berth.service")).isEqualTo("2147483648");
  }

  @Test
  void aLimitOfVersion1CountsInHybridHierarchies() throws Exception {
    write("unified/cgroup.procs", "");
    write("memory/memory.limit_in_bytes", NONE_IN_VERSION_1);
    write("memory/pod/one/memory.limit_in_bytes", "536870912");

    assertThat(limit("4:memory:/pod/one", "1:cpu,cpuacct:/", "0::/")).isEqualTo("536870912");
  }

  @Test
  void aGroupWithTheHostsPathIsTheUppermostInItsContainer() throws Exception {
    write("memory/memory.limit_in_bytes", "268435456");

    assertThat(limit("5:memory:/docker/0123")).isEqualTo("268435456");
  }

  @Test
  void thereMayBeNone() throws Exception {
    write("memory.max", "max");

    assertThat(limit("0::/")).isEmpty();
    assertThat(limit()).isEmpty();
  }

  private void write(String file, String text) throws IOException {
    Path path = groups.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  private String limit(String... own) throws IOException, InterruptedException {
    Path script = Sources.ofTheProject().root().resolve("scripts/memory.sh");
    Path file = Files.writeString(groups.resolve("own"), String.join("\n", own) + "\n");
    Process process =
        new ProcessBuilder(
                "bash",
                "-uc",
                ". \"$0\" && memory_limit \"$1\" \"$2\" && echo \"$limit\"",
                script.toString(),
                groups.toString(),
                file.toString())
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text.strip();
  }
}
