package dev.berth.agent.images;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.Runtimes;
import dev.berth.client.Delays;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.FilesystemUsage;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageSpec;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes away images that nobody uses when a disk gets full, of all image services. One thread; a
/// service that does not answer is left alone, and so are all that share runtimes with it.
public final class ImageCollector implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ImageCollector.class);
  private static final JsonMapper MAPPER = new JsonMapper();

  private record Times(Instant firstSeen, Instant lastUsed) {}

  private final Runtimes runtimes;
  private final CollectionRules rules;
  private final Delays delays;
  private final InstantSource clock;
  private final Thread thread;

  /// So that images are removed by one at a time.
  private final ReentrantLock lock = new ReentrantLock();

  /// By service and image; guarded by the lock.
  private final Map<String, Times> times = new HashMap<>();

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
        collectAll(this::tooMany);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// Takes away all images that nobody uses and that are not brand-new.
  public void collectUnused() {
    collectAll((_, images, inUse) -> CollectionPlan.unused(images, inUse, rules, clock.instant()));
  }

  private interface Choice {
    List<StoredImage> of(ImageService service, List<StoredImage> images, Set<String> inUse)
        throws IOException;
  }

  private void collectAll(Choice choice) {
    lock.lock();
    try {
      collectLocked(choice);
    } finally {
      lock.unlock();
    }
  }

  private void collectLocked(Choice choice) {
    Set<String> inUse;
    try {
      inUse = inUse();
    } catch (CriException e) {
      log.debug("images are not collected: {}", e.getMessage());
      return;
    }
    for (ImageService service : runtimes.imageServices()) {
      try {
        collect(service, inUse, choice);
      } catch (CriException | IOException e) {
        log.warn("images are not collected service={}: {}", service.name(), e.getMessage());
      } catch (RuntimeException e) {
        // The top of the thread.
        log.error("images are not collected service={}", service.name(), e);
      }
    }
  }

  /// Every name of an image of which some container was made, and those of sandboxes.
  private Set<String> inUse() {
    Set<String> names = new HashSet<>();
    for (RuntimeEndpoint service : runtimes.runtimeServices()) {
      for (Container container :
          service.runtime().listContainers(ContainerFilter.getDefaultInstance())) {
        names.add(container.getImage().getImage());
        names.add(container.getImageRef());
        names.add(container.getImageId());
      }
      names.add(sandboxImage(service));
    }
    names.remove("");
    return names;
  }

  /// Newer services pin it; older ones tell it among their configuration.
  private static String sandboxImage(RuntimeEndpoint service) {
    try {
      String config = service.runtime().status(true).getInfoMap().getOrDefault("config", "{}");
      return MAPPER.readTree(config).path("sandboxImage").asText();
    } catch (JsonProcessingException _) {
      return "";
    }
  }

  private void collect(ImageService service, Set<String> inUse, Choice choice) throws IOException {
    List<StoredImage> images = images(service, inUse, clock.instant());
    for (StoredImage image : choice.of(service, images, inUse)) {
      service
          .client()
          .removeImage(
              ImageSpec.newBuilder()
                  .setImage(image.id())
                  .setRuntimeHandler(image.handler())
                  .build());
      log.info(
          "image removed service={} image={} bytes={}", service.name(), image.id(), image.size());
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

  private List<StoredImage> images(ImageService service, Set<String> inUse, Instant now) {
    List<StoredImage> images = new ArrayList<>();
    for (Image image : service.client().listImages(ImageFilter.getDefaultInstance())) {
      StoredImage found = StoredImage.of(image, now, now);
      String key = service.name() + " " + found.key();
      Times known = times.getOrDefault(key, new Times(now, now));
      boolean used = found.names().stream().anyMatch(inUse::contains);
      Times seen = new Times(known.firstSeen(), used ? now : known.lastUsed());
      times.put(key, seen);
      images.add(StoredImage.of(image, seen.firstSeen(), seen.lastUsed()));
    }
    return images;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
