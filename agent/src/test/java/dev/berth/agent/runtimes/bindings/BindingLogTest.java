package dev.berth.agent.runtimes.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtimes.bindings.BindingLogEntry.Bound;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Completed;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Drained;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Released;
import dev.berth.agent.runtimes.bindings.BindingLogEntry.Resumed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BindingLogTest {
  private static final PodBinding A = new PodBinding("uid-a", "containerd", "runc");
  private static final PodBinding B = new PodBinding("uid-b", "qemu", "");

  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void place() {
    file = directory.resolve("bindings");
  }

  @Test
  void whatIsAppendedIsReadAgain() throws Exception {
    try (BindingLog bindingLog = BindingLog.open(file)) {
      bindingLog.append(List.of(new Bound(A), new Bound(B)));
      bindingLog.append(
          List.of(new Drained("qemu", Instant.EPOCH), new Drained("x", Instant.EPOCH)));
      bindingLog.appendLazily(List.of(new Released("uid-a"), new Resumed("x")));
    }

    BindingLogContents contents = reopen();
    assertThat(contents.bindings()).containsExactly(B);
    assertThat(contents.drained()).isEqualTo(Map.of("qemu", Instant.EPOCH));
    assertThat(contents.isComplete()).isFalse();
  }

  @Test
  void anInterruptedCallerFinishesItsWrite() throws Exception {
    boolean stillInterrupted;
    try (BindingLog bindingLog = BindingLog.open(file)) {
      Thread.currentThread().interrupt();
      bindingLog.append(List.of(new Bound(A)));
    } finally {
      stillInterrupted = Thread.interrupted();
    }

    assertThat(stillInterrupted).isTrue();
    assertThat(reopen().bindings()).containsExactly(A);
  }

  @Test
  void completenessIsRemembered() throws Exception {
    append(new Completed());
    append(new Bound(A));

    assertThat(reopen().isComplete()).isTrue();
  }

  @Test
  void everyCutOfTheLastLineLosesOnlyThatLine() throws Exception {
    append(new Completed(), new Bound(A));
    int whole = Files.readAllBytes(file).length;
    append(new Bound(B));
    byte[] both = Files.readAllBytes(file);

    for (int length = whole; length < both.length - 1; length++) {
      Files.write(file, java.util.Arrays.copyOf(both, length));
      assertThat(reopen().bindings()).as("cut at %d", length).containsExactly(A);
      assertThat(reopen().isComplete()).isTrue();
    }
  }

  @Test
  void aTornEndIsGoneAfterTheNextWrite() throws Exception {
    append(new Bound(A));
    Files.writeString(file, "12345678\tbound\tuid", StandardOpenOption.APPEND);

    append(new Bound(B));

    assertThat(reopen().bindings()).containsExactly(A, B);
  }

  @Test
  void damageInTheMiddleIsAdmitted() throws Exception {
    append(new Completed(), new Bound(A), new Bound(B));
    Files.writeString(file, Files.readString(file).replace("uid-a", "uid-X"));

    BindingLogContents contents = reopen();

    assertThat(contents.bindings()).containsExactly(B);
    assertThat(contents.isComplete()).isFalse();
    assertThat(directory.resolve("bindings.damaged")).exists();
  }

  @Test
  void historyIsWrittenAway() throws Exception {
    try (BindingLog bindingLog = BindingLog.open(file)) {
      bindingLog.append(List.of(new Bound(A)));
      for (int i = 0; i < 2000; i++) {
        bindingLog.appendLazily(List.of(new Bound(B), new Released("uid-b")));
      }
    }

    assertThat(Files.readAllLines(file)).hasSizeLessThan(1100);
    assertThat(reopen().bindings()).containsExactly(A);
  }

  @Test
  void concurrentCallersLoseNothing() throws Exception {
    try (BindingLog bindingLog = BindingLog.open(file)) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        PodBinding binding = new PodBinding("uid-" + i, "s", "");
        threads.add(
            Thread.ofVirtual().start(() -> appendUnchecked(bindingLog, new Bound(binding))));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }

    assertThat(reopen().bindings())
        .extracting(PodBinding::podUid)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 50).mapToObj(i -> "uid-" + i).toList());
  }

  @Test
  void aFailedWriteIsToldAndTheNextOneMakesItGood() throws Exception {
    Path blocked = directory.resolve("gone").resolve("bindings");
    try (BindingLog bindingLog = BindingLog.open(blocked)) {
      assertThatThrownBy(() -> bindingLog.append(List.of(new Bound(A))))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("cannot write " + blocked);
      Files.createDirectory(directory.resolve("gone"));
      bindingLog.append(List.of(new Bound(B)));
    }

    assertThat(new BindingLogFile(blocked).read().bindings()).containsExactly(B);
  }

  @Test
  void theFileIsItsOwnersAlone() throws Exception {
    append(new Bound(A));

    assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
  }

  private void append(BindingLogEntry... entries) throws IOException {
    try (BindingLog bindingLog = BindingLog.open(file)) {
      bindingLog.append(List.of(entries));
    }
  }

  private static void appendUnchecked(BindingLog bindingLog, BindingLogEntry entry) {
    try {
      bindingLog.append(List.of(entry));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private BindingLogContents reopen() throws IOException {
    return new BindingLogFile(file).read();
  }
}
