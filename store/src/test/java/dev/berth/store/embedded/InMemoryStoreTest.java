package dev.berth.store.embedded;

import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreContract;
import dev.berth.store.StoreLimits;
import java.time.InstantSource;

final class InMemoryStoreTest extends StoreContract {
  @Override
  protected Store<Doc> open(StoreLimits limits) {
    return EmbeddedStore.inMemory(Doc.DECODER, limits, InstantSource.system());
  }
}
