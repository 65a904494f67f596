package dev.berth.agent.pods.act;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.files.PathExchange;
import dev.berth.agent.pods.config.LogPaths;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PodLabels;
import dev.berth.agent.pods.observed.ObservedContainer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the status of a container that ended says for it.
final class TerminationMessageTest {
  private static final String TIME = "2026-01-02T03:04:05.678901234Z";
  private static final Pod POD =
      new PodBuilder()
          .withNewMetadata()
          .withName("web")
          .withNamespace("default")
          .withUid("u-1")
          .endMetadata()
          .build();

  @TempDir private Path directory;
  private NodeSettings node;
  private Path log;

  @BeforeEach
  void setUp() throws IOException {
    node = NodeSettings.of("node-1", List.of(), directory);
    log = LogPaths.ofPod(node, POD).resolve(LogPaths.ofContainer("main", 0));
    Files.createDirectories(log.getParent());
  }

  @Test
  void theFileCountsBeforeTheLog() throws IOException {
    Path file = ContainerFiles.messageFile(node, "u-1", "main", 0);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "from the file");
    Files.writeString(log, entry("F", "from the log"));

    assertThat(words(3)).isEqualTo("from the file");
  }

  @Test
  void onlyAFailureIsExplainedByTheLog() throws IOException {
    Files.writeString(log, entry("F", "one") + entry("F", "") + entry("F", "two words\r"));

    assertThat(words(3)).isEqualTo("one\n\ntwo words\r\n");
    assertThat(words(0)).isEmpty();
  }

  @Test
  void ofALineThatIsTooLongItsEndIsTold() throws IOException {
    Files.writeString(log, entry("F", "one") + entry("F", "x".repeat(3000) + " the reason"));

    assertThat(words(3)).hasSize(2048).startsWith("xxx").endsWith("xxx the reason\n");
  }

  @Test
  void aLineInPiecesIsOneLine() throws IOException {
    String piece = "é".repeat(8 * 1024);
    Files.writeString(
        log, entry("P", piece) + entry("P", piece) + entry("P", piece) + entry("F", "END"));

    String words = words(3);

    assertThat(words).endsWith("ééEND\n").doesNotContain("stdout");
    assertThat(words.lines()).hasSize(1);
    assertThat(words.getBytes(StandardCharsets.UTF_8).length).isBetween(2045, 2048);
  }

  @Test
  void ofManyLinesTheLastEightyAreTold() throws IOException {
    Files.writeString(
        log,
        IntStream.range(0, 200).mapToObj(i -> entry("F", "" + i)).collect(Collectors.joining()));

    assertThat(words(3).lines())
        .containsExactlyElementsOf(IntStream.range(120, 200).mapToObj(i -> "" + i).toList());
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whatIsNoFileIsNotRead() throws IOException {
    Path message = ContainerFiles.messageFile(node, "u-1", "main", 0);
    Files.createDirectories(message.getParent());
    Path secret = Files.writeString(directory.resolve("secret"), "of the host");

    Files.createSymbolicLink(message, secret);
    assertThat(words(3)).isEqualTo("Error reading termination message: not a regular file");

    Files.delete(message);
    PathExchange.makePipe(message);
    assertThat(words(3)).isEqualTo("Error reading termination message: not a regular file");

    Files.delete(message);
    Path logs = Objects.requireNonNull(log.getParent());
    Files.delete(logs);
    Files.createDirectory(directory.resolve("elsewhere"));
    Files.writeString(directory.resolve("elsewhere/0.log"), entry("F", "of the host"));
    Files.createSymbolicLink(logs, directory.resolve("elsewhere"));
    assertThat(words(3)).doesNotContain("of the host");
  }

  @Test
  void aMessageThatChangesWhileItIsReadIsNoFailure() throws Exception {
    Path message = ContainerFiles.messageFile(node, "u-1", "main", 0);
    Files.createDirectories(message.getParent());
    Files.writeString(message, "x".repeat(100_000));
    try (RandomAccessFile file = new RandomAccessFile(message.toFile(), "rw")) {
      AtomicBoolean ends = new AtomicBoolean();
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!ends.get()) {
                      resize(file, 0);
                      resize(file, 1 << 30);
                    }
                  });
      for (int i = 0; i < 500; i++) {
        assertThat(words(3)).hasSizeLessThanOrEqualTo(4096).doesNotContain("Error");
      }
      ends.set(true);
      writer.join();
    }
  }

  private static void resize(RandomAccessFile file, long size) {
    try {
      file.setLength(size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String entry(String tag, String content) {
    return "%s stdout %s %s\n".formatted(TIME, tag, content);
  }

  private String words(int exitCode) {
    return new TerminationMessage(node)
        .of(
            POD,
            new ObservedContainer(
                "c-1",
                "s-1",
                "main",
                0,
                ObservedContainer.State.EXITED,
                "i:1",
                "sha256:1",
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH,
                exitCode,
                "",
                "",
                "",
                Map.of(PodLabels.MESSAGE_POLICY, "FallbackToLogsOnError")));
  }
}
