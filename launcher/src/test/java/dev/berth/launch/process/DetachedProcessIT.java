package dev.berth.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DetachedProcessIT {
  @TempDir Path directory;
  private Path log;
  private Path mark;
  private DetachedProcess process;

  @BeforeEach
  void prepare() {
    log = directory.resolve("log");
    mark = directory.resolve("mark");
    process = new DetachedProcess(List.of("--config", mark.toString()), log);
  }

  @AfterEach
  void end() {
    process.kill();
  }

  private void start(String script) throws IOException {
    process.start(
        List.of("sh", "-c", script, "sh", "--config", mark.toString()), Map.of("WORD", "hello"));
  }

  @Test
  void aLaterProcessFindsAndEndsIt() throws IOException {
    start("echo $WORD; touch $2; while :; do sleep 1; done");
    assertThat(process.awaitServing(() -> Files.exists(mark))).isTrue();
    DetachedProcess later = new DetachedProcess(List.of("--config", mark.toString()), log);
    assertThat(later.find()).isPresent();
    assertThat(later.servesWithin(() -> false, Duration.ofMillis(10))).isFalse();
    later.end();
    assertThat(later.find()).isEmpty();
    assertThat(log).hasContent("hello");
  }

  @Test
  void theLastMessagesOfAStartSayWhyItFailed() throws IOException {
    Files.writeString(log, "an earlier start\n");
    start("echo one; echo two; exit 1");
    assertThat(process.awaitServing(() -> false)).isFalse();
    assertThat(process.lastMessages()).isEqualTo("one / two");
  }
}
