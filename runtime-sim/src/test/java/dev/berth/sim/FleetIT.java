package dev.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A thousand services with a hundred pods each, as one process with little memory.
final class FleetIT {
  private static final long LIMIT_KILOBYTES = 2L * 1024 * 1024;

  /// The rest up to 2 GiB is for what is not heap.
  private static final String HEAP = "-Xmx1700m";

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void aThousandServicesWithAHundredPodsEachFitIn2Gib() throws Exception {
    assumeTrue(Files.isReadable(Path.of("/proc/self/status")));
    Process process =
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    HEAP,
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Fleet.class.getName(),
                    "1000",
                    "100"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      Map<String, Long> said = new HashMap<>();
      for (String line : process.inputReader(StandardCharsets.UTF_8).lines().toList()) {
        System.out.println("fleet: " + line);
        String[] words = line.split(" ", 2);
        said.put(words[0], Long.valueOf(words[1]));
      }

      assertThat(process.waitFor()).isZero();
      assertThat(said.get("containers")).isEqualTo(100_000);
      assertThat(said.get("kilobytes")).isLessThan(LIMIT_KILOBYTES);
      assertThat(said.get("threads")).isLessThan(100);
    } finally {
      process.destroyForcibly();
    }
  }
}
