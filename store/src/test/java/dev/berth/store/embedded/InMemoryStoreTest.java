package dev.berth.store.embedded;

import static dev.berth.store.Doc.delete;
import static dev.berth.store.Doc.replace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreContract;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreUnavailableException;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class InMemoryStoreTest extends StoreContract {
  private static final String LARGEST = "x".repeat(1_500_000);

  @Override
  protected Store<Doc> open(StoreLimits limits) {
    return EmbeddedStore.inMemory(Doc.DECODER, limits, InstantSource.system());
  }

  @Test
  void aFullStoreTakesDeletionsAndTheMarksBeforeThem() throws InterruptedException {
    try (Store<Doc> small = open(StoreLimits.DEFAULT.withMaxLiveBytes(8 << 20))) {
      String megabyte = "x".repeat(1 << 20);
      for (int i = 0; i < 7; i++) {
        committed(small.commit(Doc.create("pods/a/" + i, megabyte)));
      }
      assertThatThrownBy(() -> small.commit(Doc.create("pods/a/8", megabyte)))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining(
              "the store is full: its objects use 7 MiB of the 8 MiB of this"
                  + " server's memory that are allowed. Delete objects");

      long marked =
          committed(small.commit(replace("pods/a/0", megabyte + " marked", revision(small, 0))))
              .revision();
      for (int i = 1; i < 5; i++) {
        committed(small.commit(replace("pods/a/" + i, LARGEST, revision(small, i))));
      }
      assertThatThrownBy(() -> small.commit(replace("pods/a/5", LARGEST, revision(small, 5))))
          .isInstanceOf(StoreUnavailableException.class);
      for (int i = 1; i < 5; i++) {
        committed(small.commit(delete("pods/a/" + i, revision(small, i))));
      }
      committed(small.commit(delete("pods/a/0", marked)));
      assertThat(committed(small.commit(Doc.create("pods/a/8", megabyte))).revision())
          .isEqualTo(small.revision());
    }
  }

  private static long revision(Store<Doc> store, int pod) {
    return Objects.requireNonNull(store.get("pods/a/" + pod)).revision();
  }
}
