package dev.berth.store.embedded;

import dev.berth.store.Doc;
import dev.berth.store.Parallel;
import dev.berth.store.Store;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreEvent;
import dev.berth.store.StoreLimits;
import dev.berth.store.StoreWatch;
import dev.berth.store.StoreWrite;
import dev.berth.store.WriteOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Prints how fast the embedded store is: `StoreTimings DIRECTORY [objects]`; the directory must be
/// on the disk that is meant.
final class StoreTimings {
  private static final int VALUE_BYTES = 3_000;

  private final Path directory;
  private final int objects;

  private StoreTimings(Path directory, int objects) {
    this.directory = directory;
    this.objects = objects;
  }

  public static void main(String[] args) throws Exception {
    int objects = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
    new StoreTimings(Files.createTempDirectory(Path.of(args[0]), "timings"), objects).run();
  }

  private void run() throws Exception {
    long start = System.nanoTime();
    Store<Doc> store = open();
    print("open, empty", start, 1);
    commits(store, 1, 3_000);
    for (int concurrency : List.of(1, 32, 64, 256)) {
      commits(store, concurrency, concurrency == 1 ? 3_000 : 20_000);
    }
    fill(store);
    reads(store);
    fanOut(store, 1_000, 200);
    start = System.nanoTime();
    store.close();
    print("close", start, 1);
    start = System.nanoTime();
    store = open();
    print("open, " + store.snapshot("pods").size() + " objects", start, 1);
    store.close();
  }

  private Store<Doc> open() {
    return EmbeddedStore.open(directory, Doc.DECODER, StoreLimits.DEFAULT, InstantSource.system());
  }

  private static void commits(Store<Doc> store, int concurrency, int count) throws Exception {
    AtomicInteger next = new AtomicInteger();
    String bucket = "c" + concurrency + "-" + store.revision();
    long start = System.nanoTime();
    Parallel.run(
        concurrency,
        _ -> {
          for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
            commit(store, new StoreWrite.Create(bucket + "/ns/pod-" + i, value()));
          }
        });
    print("create, concurrency " + concurrency, start, count);
  }

  private void fill(Store<Doc> store) throws Exception {
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    Parallel.run(
        512,
        _ -> {
          for (int i = next.getAndIncrement(); i < objects; i = next.getAndIncrement()) {
            commit(store, new StoreWrite.Create("pods/ns" + i % 100 + "/pod-" + i, value()));
          }
        });
    print("fill", start, objects);
  }

  private void reads(Store<Doc> store) {
    for (int round = 0; round < 5; round++) {
      long start = System.nanoTime();
      long bytes = 0;
      for (StoreEntry<Doc> entry : store.snapshot("pods")) {
        bytes += entry.value().text().length();
      }
      print("iterate " + objects + " (" + bytes + " bytes)", start, objects);
      start = System.nanoTime();
      for (int i = 0; i < objects; i++) {
        store.get("pods/ns" + i % 100 + "/pod-" + i);
      }
      print("get", start, objects);
      start = System.nanoTime();
      long old = store.revision() - Math.min(objects / 2, 20_000);
      int size = store.snapshotAt("pods", old).size();
      print("snapshot 20000 revisions back (" + size + ")", start, 1);
    }
  }

  private static void fanOut(Store<Doc> store, int watchers, int events) throws Exception {
    AtomicLong start = new AtomicLong();
    CountDownLatch ready = new CountDownLatch(watchers);
    Parallel.run(
        watchers + 1,
        number -> {
          if (number < watchers) {
            StoreWatch<Doc> watch = store.watch("nodes", store.revision());
            ready.countDown();
            follow(watch, events);
            return;
          }
          ready.await();
          start.set(System.nanoTime());
          for (int i = 0; i < events; i++) {
            commit(store, new StoreWrite.Create("nodes/n" + i, value()));
          }
          print("create, watched by " + watchers, start.get(), events);
        });
    print("delivered to " + watchers + " watches", start.get(), events * watchers);
  }

  private static void follow(StoreWatch<Doc> watch, int events) throws InterruptedException {
    int seen = 0;
    while (seen < events) {
      List<StoreEvent<Doc>> batch = watch.next(Duration.ofSeconds(10));
      seen += batch.size();
    }
  }

  private static void commit(Store<Doc> store, StoreWrite write) throws InterruptedException {
    if (store.commit(write) instanceof WriteOutcome.Refused<Doc>) {
      throw new IllegalStateException("refused " + write.key());
    }
  }

  private static byte[] value() {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) 'x');
    return value;
  }

  private static void print(String what, long start, int count) {
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("%-45s %9.1f ms %12.0f /s%n", what, seconds * 1e3, count / seconds);
  }
}
