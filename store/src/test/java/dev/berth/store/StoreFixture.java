package dev.berth.store;

import static dev.berth.store.Doc.replace;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.store.WriteOutcome.Committed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A store of the kind under test, opened and closed around each test.
abstract class StoreFixture {
  protected static final Duration SOON = Duration.ofSeconds(20);
  protected static final Duration NOW = Duration.ZERO;

  private @Nullable Store<Doc> opened;

  /// A store without objects.
  protected abstract Store<Doc> open(StoreLimits limits) throws Exception;

  @BeforeEach
  void openStore() throws Exception {
    opened = open(StoreLimits.DEFAULT);
  }

  @AfterEach
  void closeStore() {
    store().close();
  }

  protected final Store<Doc> store() {
    return Objects.requireNonNull(opened);
  }

  protected static Committed<Doc> committed(WriteOutcome<Doc> outcome) {
    assertThat(outcome).isInstanceOf(Committed.class);
    return (Committed<Doc>) outcome;
  }

  protected final long put(String key, String text) throws InterruptedException {
    StoreEntry<Doc> current = store().get(key);
    StoreWrite write =
        current == null ? Doc.create(key, text) : replace(key, text, current.revision());
    return committed(store().commit(write)).revision();
  }

  protected static List<String> keys(Iterable<StoreEntry<Doc>> entries) {
    List<String> keys = new ArrayList<>();
    entries.forEach(entry -> keys.add(entry.key()));
    return keys;
  }
}
