package dev.berth.launch.containerd.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class ProgramRunnerTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  @Test
  void aCommandSaysWhatItPrinted() throws IOException {
    assertThat(ProgramRunner.run(List.of("sh", "-c", "echo one; echo two >&2"), LONG))
        .isEqualTo("one\ntwo\n");
  }

  @Test
  void oneThatFailsSaysWhy() {
    assertThatThrownBy(() -> ProgramRunner.run(List.of("sh", "-c", "echo no room; exit 3"), LONG))
        .isInstanceOf(IOException.class)
        .hasMessage("`sh -c echo no room; exit 3`: no room");
  }

  @Test
  void oneThatHangsIsEnded() {
    assertThatThrownBy(() -> ProgramRunner.run(List.of("sleep", "1000"), Duration.ofMillis(1)))
        .isInstanceOf(IOException.class)
        .hasMessage("`sleep 1000` did not exit within 0 s");
    assertThat(ProgramRunner.succeeds(List.of("sleep", "1000"), Duration.ofMillis(1))).isFalse();
  }
}
