package dev.berth.store.embedded;

import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreContract;
import dev.berth.store.StoreLimits;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

final class SqliteStoreTest extends StoreContract {
  @TempDir Path directory;

  @Override
  protected Store<Doc> open(StoreLimits limits) {
    return EmbeddedStore.open(directory, Doc.DECODER, limits, InstantSource.system());
  }
}
