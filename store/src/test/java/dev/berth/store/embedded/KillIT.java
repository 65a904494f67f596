package dev.berth.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.ChildJvm;
import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KillIT {
  private static final int ROUNDS = 6;

  @TempDir Path directory;
  private final Map<String, Integer> steps = new HashMap<>();
  private final Map<String, Doc> settled = new HashMap<>();
  private long newest;

  @Test
  void everyAcknowledgedWriteIsFoundAfterKill() throws Exception {
    Random random = new Random(42);
    for (int round = 0; round < ROUNDS; round++) {
      steps.clear();
      writeAndKill(round, 200 + random.nextInt(6_000));
      check();
    }
  }

  private void writeAndKill(int round, int lines) throws IOException, InterruptedException {
    Process child = ChildJvm.start(KilledWriter.class, directory.toString(), "r" + round);
    try (BufferedReader output = child.inputReader()) {
      int seen = 0;
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        note(line);
        if (++seen == lines) {
          // Not the process's own method, which would throw away what is still in the pipe.
          child.toHandle().destroyForcibly();
        }
      }
      assertThat(seen).isGreaterThanOrEqualTo(lines);
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  private void note(String line) {
    String[] words = line.split(" ", -1);
    boolean complete = words.length == 4 && words[3].equals(".");
    if (complete) {
      steps.put(words[0], Integer.parseInt(words[1]));
      newest = Math.max(newest, Long.parseLong(words[2]));
    }
  }

  private void check() {
    try (Store<Doc> store =
        EmbeddedStore.open(directory, Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system())) {
      assertThat(store.revision()).isGreaterThanOrEqualTo(newest);
      settled.forEach((key, doc) -> assertThat(value(store, key)).isEqualTo(doc));
      // The step after the acknowledged one may have been stored when the process died, further
      // ones cannot.
      steps.forEach(
          (key, step) ->
              assertThat(text(store, key))
                  .as(key)
                  .isIn(KilledWriter.textAfter(step), KilledWriter.textAfter(step + 1)));
      settled.clear();
      store.snapshot("pods").forEach(entry -> settled.put(entry.key(), entry.value()));
    }
  }

  private static @Nullable Doc value(Store<Doc> store, String key) {
    StoreEntry<Doc> entry = store.get(key);
    return entry == null ? null : entry.value();
  }

  private static @Nullable String text(Store<Doc> store, String key) {
    Doc doc = value(store, key);
    return doc == null ? null : doc.text();
  }
}
