package dev.berth.agent.runtimes.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtimes.bindings.LedgerEntry.Bound;
import dev.berth.agent.runtimes.bindings.LedgerEntry.Completed;
import dev.berth.agent.runtimes.bindings.LedgerEntry.Drained;
import dev.berth.agent.runtimes.bindings.LedgerEntry.Released;
import dev.berth.agent.runtimes.bindings.LedgerEntry.Resumed;
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

final class LedgerTest {
  private static final Binding A = new Binding("uid-a", "containerd", "runc");
  private static final Binding B = new Binding("uid-b", "qemu", "");

  @TempDir private Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void place() {
    file = folder.resolve("bindings");
  }

  @Test
  void whatIsAppendedIsReadAgain() throws Exception {
    try (Ledger ledger = Ledger.open(file)) {
      ledger.append(List.of(new Bound(A), new Bound(B)));
      ledger.append(List.of(new Drained("qemu", Instant.EPOCH), new Drained("x", Instant.EPOCH)));
      ledger.appendLazily(List.of(new Released("uid-a"), new Resumed("x")));
    }

    LedgerContents contents = reopen();
    assertThat(contents.bindings()).containsExactly(B);
    assertThat(contents.drained()).isEqualTo(Map.of("qemu", Instant.EPOCH));
    assertThat(contents.isComplete()).isFalse();
  }

  @Test
  void anInterruptedCallerFinishesItsWrite() throws Exception {
    boolean stillInterrupted;
    try (Ledger ledger = Ledger.open(file)) {
      Thread.currentThread().interrupt();
      ledger.append(List.of(new Bound(A)));
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

    LedgerContents contents = reopen();

    assertThat(contents.bindings()).containsExactly(B);
    assertThat(contents.isComplete()).isFalse();
    assertThat(folder.resolve("bindings.damaged")).exists();
  }

  @Test
  void historyIsWrittenAway() throws Exception {
    try (Ledger ledger = Ledger.open(file)) {
      ledger.append(List.of(new Bound(A)));
      for (int i = 0; i < 2000; i++) {
        ledger.appendLazily(List.of(new Bound(B), new Released("uid-b")));
      }
    }

    assertThat(Files.readAllLines(file)).hasSizeLessThan(1100);
    assertThat(reopen().bindings()).containsExactly(A);
  }

  @Test
  void concurrentCallersLoseNothing() throws Exception {
    try (Ledger ledger = Ledger.open(file)) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        Binding binding = new Binding("uid-" + i, "s", "");
        threads.add(Thread.ofVirtual().start(() -> appendUnchecked(ledger, new Bound(binding))));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }

    assertThat(reopen().bindings())
        .extracting(Binding::podUid)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 50).mapToObj(i -> "uid-" + i).toList());
  }

  @Test
  void aFailedWriteIsToldAndTheNextOneMakesItGood() throws Exception {
    Path blocked = folder.resolve("gone").resolve("bindings");
    try (Ledger ledger = Ledger.open(blocked)) {
      assertThatThrownBy(() -> ledger.append(List.of(new Bound(A))))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("cannot write " + blocked);
      Files.createDirectory(folder.resolve("gone"));
      ledger.append(List.of(new Bound(B)));
    }

    assertThat(new LedgerFile(blocked).read().bindings()).containsExactly(B);
  }

  @Test
  void theFileIsItsOwnersAlone() throws Exception {
    append(new Bound(A));

    assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
  }

  private void append(LedgerEntry... entries) throws IOException {
    try (Ledger ledger = Ledger.open(file)) {
      ledger.append(List.of(entries));
    }
  }

  private static void appendUnchecked(Ledger ledger, LedgerEntry entry) {
    try {
      ledger.append(List.of(entry));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private LedgerContents reopen() throws IOException {
    return new LedgerFile(file).read();
  }
}
