package dev.berth.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DefaultDataDirTest {
  private static final Path HOME = Path.of("/home/ann");

  @Test
  void rootUsesTheSystemDirectory() {
    assertThat(DefaultDataDir.of(true, Path.of("/root"), Map.of("XDG_DATA_HOME", "/data")))
        .isEqualTo(Path.of("/var/lib/berth"));
  }

  @Test
  void othersUseTheirDataHome() {
    assertThat(DefaultDataDir.of(false, HOME, Map.of("XDG_DATA_HOME", "/data")))
        .isEqualTo(Path.of("/data/berth"));
  }

  @Test
  void homeOfTheEnvironmentComesBeforeThatOfTheSystem() {
    assertThat(DefaultDataDir.of(false, HOME, Map.of("HOME", "/elsewhere")))
        .isEqualTo(Path.of("/elsewhere/.local/share/berth"));
  }

  @Test
  void anUnsetOrRelativeDataHomeMeansTheUsualOne() {
    Path usual = Path.of("/home/ann/.local/share/berth");
    assertThat(DefaultDataDir.of(false, HOME, Map.of())).isEqualTo(usual);
    assertThat(DefaultDataDir.of(false, HOME, Map.of("XDG_DATA_HOME", "data"))).isEqualTo(usual);
  }
}
