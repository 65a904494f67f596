package dev.berth.agent.images;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.berth.agent.images.CollectionPlan.Candidate;
import dev.berth.agent.images.ImageStoreCollector.Holding;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.client.DelayedActions;
import dev.berth.cri.CriEndpoint;
import dev.berth.registry.platforms.ImagePlatform;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Predicate;

/// Removes unused images when a disk gets full, over all image services. Each service has threads
/// of its own in every round, so that one that does not answer blocks no other.
public final class ImageCollector implements AutoCloseable {
  /// The timeout for listing: a list must not be outdated when it is acted on.
  private static final Duration LOOKING = Duration.ofSeconds(10);

  /// The timeout for removals; slow ones continue in the background. Large images take time, and
  /// pods are evicted if too little is reclaimed.
  private static final Duration REMOVING = Duration.ofMinutes(1);

  private final RuntimeServices runtimes;
  private final ImagePlatform host;
  private final CollectionRules rules;
  private final ImageMemory memory;
  private final DelayedActions delays;
  private final InstantSource clock;
  private final ConcurrentMap<CriEndpoint, ImageStoreCollector> stores = new ConcurrentHashMap<>();
  private final Set<Thread> busy = ConcurrentHashMap.newKeySet();
  private final Thread thread;

  private ImageCollector(
      RuntimeServices runtimes,
      ImagePlatform host,
      CollectionRules rules,
      ImageMemory memory,
      DelayedActions delays,
      InstantSource clock) {
    this.host = host;
    this.memory = memory;
    this.runtimes = runtimes;
    this.rules = rules;
    this.delays = delays;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("image-collector").unstarted(this::run);
  }

  /// Starts to look at the disks.
  ///
  /// @param host what handlers run that name no platform
  public static ImageCollector start(
      RuntimeServices runtimes,
      ImagePlatform host,
      CollectionRules rules,
      ImageMemory memory,
      DelayedActions delays,
      InstantSource clock) {
    ImageCollector collector = new ImageCollector(runtimes, host, rules, memory, delays, clock);
    collector.thread.start();
    return collector;
  }

  private void run() {
    try {
      while (true) {
        Semaphore due = new Semaphore(0);
        delays.after(rules.period(), due::release);
        due.acquire();
        collect(_ -> true, this::tooMany);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// Removes all unused images of the selected services, except very recent ones.
  public void collectUnused(Predicate<ImageService> which) {
    try {
      collect(which, found -> found.stream().flatMap(Holding::candidates).toList());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void collect(
      Predicate<ImageService> which, Function<List<Holding>, List<Candidate>> choice)
      throws InterruptedException {
    List<ImageStoreCollector> concerned =
        stores().stream().filter(store -> which.test(store.service())).toList();
    Queue<Holding> found = new ConcurrentLinkedQueue<>();
    onEach(concerned, LOOKING, store -> store.look(rules).ifPresent(found::add));
    Map<CriEndpoint, List<StoredImage>> chosen =
        choice.apply(List.copyOf(found)).stream()
            .collect(groupingBy(Candidate::store, mapping(Candidate::image, toList())));
    onEach(
        concerned,
        REMOVING,
        store -> store.remove(chosen.getOrDefault(store.service().endpoint(), List.of())));
  }

  private List<ImageStoreCollector> stores() {
    List<ImageService> services = runtimes.imageServices();
    stores.keySet().retainAll(services.stream().map(ImageService::endpoint).toList());
    return services.stream()
        .map(
            service ->
                stores.computeIfAbsent(
                    service.endpoint(),
                    _ -> new ImageStoreCollector(service, runtimes, host, memory, clock)))
        .toList();
  }

  private interface Work {
    void on(ImageStoreCollector store) throws InterruptedException;
  }

  private void onEach(List<ImageStoreCollector> concerned, Duration patience, Work work)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (ImageStoreCollector store : concerned) {
      threads.add(
          Thread.ofVirtual()
              .name("image-collector-" + store.service().name())
              .start(() -> doBusily(store, work)));
    }
    long end = System.nanoTime() + patience.toNanos();
    for (Thread one : threads) {
      boolean _ = one.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }
  }

  private void doBusily(ImageStoreCollector store, Work work) {
    busy.add(Thread.currentThread());
    try {
      work.on(store);
    } catch (InterruptedException _) {
      // Closed.
    } finally {
      busy.remove(Thread.currentThread());
    }
  }

  /// The images to remove because a disk is too full.
  private List<Candidate> tooMany(List<Holding> found) {
    Map<Object, ImageDisk> disks = new LinkedHashMap<>();
    found.forEach(one -> one.disks().forEach(disk -> disks.putIfAbsent(disk.device(), disk)));
    return disks.values().stream()
        .flatMap(disk -> CollectionPlan.choose(on(disk, found), disk, rules).stream())
        .distinct()
        .toList();
  }

  /// Several services may share a disk.
  private static List<Candidate> on(ImageDisk disk, List<Holding> found) {
    return found.stream()
        .filter(one -> one.disks().stream().anyMatch(disk::isSame))
        .flatMap(Holding::candidates)
        .toList();
  }

  @Override
  public void close() {
    thread.interrupt();
    busy.forEach(Thread::interrupt);
  }
}
