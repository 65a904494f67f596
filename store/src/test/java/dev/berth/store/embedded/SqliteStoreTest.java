package dev.berth.store.embedded;

import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreContract;
import dev.berth.store.StoreLimits;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

final class SqliteStoreTest extends StoreContract {
  @TempDir Path folder;

  @Override
  protected Store<Doc> open(StoreLimits limits) {
    return EmbeddedStore.open(folder, Doc.DECODER, limits, InstantSource.system());
  }
}
