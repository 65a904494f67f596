package dev.berth.agent.images;

import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.Runtimes;
import dev.berth.client.Delays;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.v1.FilesystemUsage;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Takes away images that nobody uses when a disk gets full, of all image services. Each has a
/// thread of its own in every round: one that does not answer holds up no other.
public final class ImageCollector implements AutoCloseable {
  /// How long a round waits for those that are slow; they go on without it. Large images take their
  /// time, and pods are evicted when too little was had back.
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Runtimes runtimes;
  private final CollectionRules rules;
  private final Delays delays;
  private final InstantSource clock;
  private final ConcurrentMap<CriEndpoint, StoreCollector> stores = new ConcurrentHashMap<>();
  private final Set<Thread> busy = ConcurrentHashMap.newKeySet();
  private final Thread thread;

  private ImageCollector(
      Runtimes runtimes, CollectionRules rules, Delays delays, InstantSource clock) {
    this.runtimes = runtimes;
    this.rules = rules;
    this.delays = delays;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("image-collector").unstarted(this::run);
  }

  public static ImageCollector start(
      Runtimes runtimes, CollectionRules rules, Delays delays, InstantSource clock) {
    ImageCollector collector = new ImageCollector(runtimes, rules, delays, clock);
    collector.thread.start();
    return collector;
  }

  private void run() {
    try {
      while (true) {
        Semaphore due = new Semaphore(0);
        delays.after(rules.period(), due::release);
        due.acquire();
        collectAll(_ -> true, this::tooMany);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// Takes away all images of some services that nobody uses and that are not brand-new.
  public void collectUnused(Predicate<ImageService> which) {
    try {
      collectAll(
          which,
          (_, images, inUse) -> CollectionPlan.unused(images, inUse, rules, clock.instant()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Those that are not asked are not waited for either.
  private void collectAll(Predicate<ImageService> which, StoreCollector.Choice choice)
      throws InterruptedException {
    List<ImageService> services = runtimes.imageServices();
    stores
        .keySet()
        .retainAll(services.stream().map(ImageService::endpoint).collect(Collectors.toSet()));
    List<Thread> threads = new ArrayList<>();
    for (ImageService service : services.stream().filter(which).toList()) {
      StoreCollector store =
          stores.computeIfAbsent(
              service.endpoint(), _ -> new StoreCollector(service, runtimes, clock));
      threads.add(
          Thread.ofVirtual()
              .name("image-collector-" + service.name())
              .start(() -> collect(store, choice)));
    }
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (Thread one : threads) {
      boolean _ = one.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }
  }

  private void collect(StoreCollector store, StoreCollector.Choice choice) {
    busy.add(Thread.currentThread());
    try {
      store.collect(choice);
    } catch (InterruptedException _) {
      // Closed.
    } finally {
      busy.remove(Thread.currentThread());
    }
  }

  /// Those that go because a disk is too full.
  private List<StoredImage> tooMany(
      ImageService service, List<StoredImage> images, Set<String> inUse) throws IOException {
    Set<StoredImage> chosen = new LinkedHashSet<>();
    for (FilesystemUsage usage : service.client().imageFsInfo().getImageFilesystemsList()) {
      Path folder = Path.of(usage.getFsId().getMountpoint());
      if (Files.exists(folder)) {
        FileStore disk = Files.getFileStore(folder);
        long capacity = disk.getTotalSpace();
        long used = capacity - disk.getUsableSpace();
        chosen.addAll(CollectionPlan.choose(images, inUse, used, capacity, rules, clock.instant()));
      }
    }
    return List.copyOf(chosen);
  }

  @Override
  public void close() {
    thread.interrupt();
    busy.forEach(Thread::interrupt);
  }
}
