package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.store.Await;
import dev.berth.store.ChildJvm;
import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FailingDiskIT {
  @TempDir Path directory;

  private static Store<Doc> open(Path directory) {
    return EmbeddedStore.open(directory, Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system());
  }

  private static Set<String> keys(Store<Doc> store) {
    Set<String> keys = new TreeSet<>();
    store.snapshot("pods").forEach(entry -> keys.add(entry.key()));
    return keys;
  }

  /// Writes 100 objects through all failures and prints what became of each, then what its memory
  /// holds.
  static final class Writer {
    public static void main(String[] arguments) throws Exception {
      try (Store<Doc> store = open(Path.of(arguments[0]))) {
        for (int i = 0; i < 100; i++) {
          try {
            store.commit(Doc.create("pods/" + i, "x".repeat(500)));
            System.out.println("made pods/" + i);
          } catch (StoreUnavailableException e) {
            System.out.println("failed pods/" + i);
            Await.until("writes accepted", () -> store.health() instanceof StoreHealth.Ok);
          }
        }
        keys(store).forEach(key -> System.out.println("seen " + key));
      }
    }

    private Writer() {}
  }

  /// One failed sync takes the transaction back; when the next one, of the close, fails too, it
  /// stays in the log.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fsync:error=EIO:when=30",
        "fsync:error=EIO:when=37..38",
        // Counted for each thread: the one that opens the store meets it while it reserves space.
        "pwrite64:error=EIO:when=60..68",
        "pwrite64:error=ENOSPC:when=60..68"
      })
  void memoryIsWhatIsOnDiskWhateverFailed(String fault) throws IOException, InterruptedException {
    Set<String> made = new TreeSet<>();
    Set<String> failed = new TreeSet<>();
    Set<String> seen = new TreeSet<>();
    for (String line : underStrace(fault)) {
      String key = line.substring(line.indexOf(' ') + 1);
      (line.startsWith("made ") ? made : line.startsWith("failed ") ? failed : seen).add(key);
    }
    assertThat(made.size() + failed.size()).isEqualTo(100);
    assertThat(failed).isNotEmpty();
    assertThat(seen).containsAll(made);
    try (Store<Doc> store = open(directory)) {
      assertThat(keys(store)).isEqualTo(seen);
      assertThat(store.revision()).isEqualTo(1 + seen.size());
    }
  }

  private List<String> underStrace(String fault) throws IOException, InterruptedException {
    List<String> strace =
        List.of("strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=" + fault);
    Process child;
    try {
      assumeTrue(
          new ProcessBuilder("strace", "-qq", "-o", "/dev/null", "true").start().waitFor() == 0,
          "strace may not trace here");
      child = ChildJvm.start(strace, Writer.class, directory.toString());
    } catch (IOException e) {
      assumeTrue(false, "strace is not on PATH (Debian package strace)");
      throw e;
    }
    List<String> lines = child.inputReader().lines().toList();
    assertThat(child.waitFor()).isZero();
    return lines;
  }
}
