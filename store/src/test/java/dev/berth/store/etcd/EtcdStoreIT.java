package dev.berth.store.etcd;

import dev.berth.store.Doc;
import dev.berth.store.Store;
import dev.berth.store.StoreContract;
import dev.berth.store.StoreLimits;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

final class EtcdStoreIT extends StoreContract {
  @TempDir static Path directory;
  private static @Nullable EtcdProcess etcd;
  private static final AtomicInteger tests = new AtomicInteger();

  @BeforeAll
  static void start() throws Exception {
    etcd = EtcdProcess.started(directory);
  }

  @AfterAll
  static void stop() {
    if (etcd != null) {
      etcd.close();
    }
  }

  @Override
  protected Store<Doc> open(StoreLimits limits) throws InterruptedException {
    String url = Objects.requireNonNull(etcd).url();
    EtcdConfig config =
        EtcdConfig.of(List.of(url)).withPrefix("/test" + tests.incrementAndGet() + "/");
    return EtcdStore.open(config, Doc.DECODER, limits, InstantSource.system());
  }

  @Override
  protected int writesPerWriter() {
    return 60;
  }
}
