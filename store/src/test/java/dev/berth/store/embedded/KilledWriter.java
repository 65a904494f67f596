package dev.berth.store.embedded;

import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreWrite;
import dev.berth.store.WriteOutcome;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// The process that [KillIT] kills: writes without end and prints every acknowledged step as `key
/// step revision .`.
final class KilledWriter {
  private static final int THREADS = 16;
  private static final int KEYS = 20;

  /// A key's steps: created, replaced three times, deleted, created again.
  static @Nullable String textAfter(int step) {
    return step % 5 == 4 ? null : "step " + step + " ".repeat(step * 37 % 3_000);
  }

  public static void main(String[] arguments) {
    Store<Doc> store =
        EmbeddedStore.open(
            Path.of(arguments[0]), Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system());
    for (int i = 0; i < THREADS; i++) {
      String prefix = "pods/" + arguments[1] + "-" + i + "/";
      Thread.ofPlatform().start(() -> write(store, prefix));
    }
  }

  private static void write(Store<Doc> store, String prefix) {
    long[] revisions = new long[KEYS];
    try {
      for (int i = 0; ; i++) {
        int step = i / KEYS;
        int index = i % KEYS;
        String key = prefix + index;
        WriteOutcome<Doc> outcome = store.commit(next(key, step, revisions[index]));
        revisions[index] = ((WriteOutcome.Committed<Doc>) outcome).revision();
        System.out.println(key + " " + step + " " + revisions[index] + " .");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static StoreWrite next(String key, int step, long revision) {
    String text = textAfter(step);
    if (text == null) {
      return Doc.delete(key, revision);
    }
    return step % 5 == 0 ? Doc.create(key, text) : Doc.replace(key, text, revision);
  }

  private KilledWriter() {}
}
