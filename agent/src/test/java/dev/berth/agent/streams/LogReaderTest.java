package dev.berth.agent.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtimes.testing.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogReaderTest {
  @TempDir private Path directory;
  private Path log;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeEach
  void threeLines() throws IOException {
    log = directory.resolve("0.log");
    append("2030-01-01T00:00:00.5Z stdout F one");
    append("2030-01-01T00:00:01Z stderr P tw");
    append("2030-01-01T00:00:01.1Z stderr F o");
    append("2030-01-01T00:00:02Z stdout F three");
  }

  @Test
  void allStreamsAreShownInOrder() throws Exception {
    assertThat(read(LogOptions.ALL)).isEqualTo("one\ntwo\nthree\n");
  }

  @Test
  void aLinkInPlaceOfTheLogShowsNothingOfTheHost() throws Exception {
    Path secret = Files.move(log, directory.resolve("secret"));
    Files.createSymbolicLink(log, secret);
    assertThatThrownBy(() -> read(LogOptions.ALL)).isInstanceOf(IOException.class);

    Files.delete(log);
    Path container = Files.createDirectories(directory.resolve("pod/container"));
    log = Files.move(secret, container.resolve("0.log"));
    assertThat(read(LogOptions.ALL)).isEqualTo("one\ntwo\nthree\n");
    Files.move(container, directory.resolve("elsewhere"));
    Files.createSymbolicLink(container, directory.resolve("elsewhere"));
    assertThat(log).exists();
    assertThatThrownBy(() -> read(LogOptions.ALL)).isInstanceOf(IOException.class);
  }

  @Test
  void timestampsHaveNineDigitsAndStandAtLineBeginnings() throws Exception {
    assertThat(read(new LogOptions(false, false, true, null, null, null)))
        .isEqualTo(
            """
            2030-01-01T00:00:00.500000000Z one
            2030-01-01T00:00:01.000000000Z two
            2030-01-01T00:00:02.000000000Z three
            """);
  }

  @Test
  void theLastLinesAreFound() throws Exception {
    assertThat(read(tail(1L))).isEqualTo("three\n");
    assertThat(read(tail(0L))).isEmpty();
    assertThat(read(tail(100L))).isEqualTo("one\ntwo\nthree\n");
    for (int i = 0; i < 20_000; i++) {
      append("2030-01-01T00:00:03Z stdout F line " + i);
    }
    assertThat(read(tail(2L))).isEqualTo("line 19998\nline 19999\n");
    assertThat(read(tail(15_000L))).startsWith("line 5000\n").hasLineCount(15_000);
  }

  @Test
  void linesBeforeATimeAreLeftOut() throws Exception {
    Instant since = Instant.parse("2030-01-01T00:00:01.1Z");

    assertThat(read(new LogOptions(false, false, false, null, since, null)))
        .isEqualTo("o\nthree\n");
  }

  @Test
  void theLimitCutsInTheMiddleOfALine() throws Exception {
    assertThat(read(new LogOptions(false, false, false, null, null, 5L))).isEqualTo("one\nt");
  }

  @Test
  void aLineInAnotherFormatIsLeftOut() throws Exception {
    append("panic");
    assertThat(read(tail(2L))).isEqualTo("three\n");
  }

  @Test
  void aFollowedLogGoesOnOverRotationAndEndsWithItsContainer() throws Exception {
    AtomicBoolean running = new AtomicBoolean(true);
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                LogReader.copy(
                    log, new LogOptions(true, false, false, 1L, null, null), running::get, out);
                done.complete(null);
              } catch (IOException | InterruptedException e) {
                done.completeExceptionally(e);
              }
            });
    Await.until("the tail is there", () -> text().equals("three\n"));
    append("2030-01-01T00:00:03Z stdout F four");
    Await.until("the new line is there", () -> text().equals("three\nfour\n"));
    Files.move(log, directory.resolve("0.log.1"));
    append("2030-01-01T00:00:04Z stdout F five");
    Await.until("the new file is read", () -> text().equals("three\nfour\nfive\n"));
    running.set(false);

    assertThat(done).succeedsWithin(java.time.Duration.ofMinutes(2));
  }

  @Test
  void aReplacedFileStillGivesWhatItGotLast() throws Exception {
    try (LogFile file = new LogFile(log)) {
      file.seekTail(0);
      assertThat(line(file)).isEmpty();
      append("late");
      Files.move(log, directory.resolve("0.log.1"));
      assertThat(file.isReplaced()).isFalse();
      append("new");

      assertThat(file.isReplaced()).isTrue();
      assertThat(line(file)).isEqualTo("late\n");
      assertThat(line(file)).isEmpty();
      file.reopen();
      assertThat(line(file)).isEqualTo("new\n");
      assertThat(file.isReplaced()).isFalse();
    }
  }

  private static String line(LogFile file) throws IOException {
    int length = file.next();
    return length < 0 ? "" : new String(file.bytes(), 0, length, StandardCharsets.UTF_8);
  }

  private static LogOptions tail(long lines) {
    return new LogOptions(false, false, false, lines, null, null);
  }

  private String read(LogOptions options) throws Exception {
    out.reset();
    LogReader.copy(log, options, () -> false, out);
    return text();
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private void append(String line) throws IOException {
    Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
