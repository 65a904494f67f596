package dev.berth.agent.node.usage;

import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.ListedImage;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.ServiceImages;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.Image;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The images of all image services, listed periodically.
///
/// A service that does not answer keeps its last images: unknown is not absent.
public final class ImageInventory implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ImageInventory.class);

  /// Images change seldom, and a list of a few hundred takes a runtime long; `status.images` may be
  /// this old.
  private static final Duration PERIOD = Duration.ofSeconds(30);

  private final RuntimeServices runtimes;
  private final Map<String, List<NodeImage>> byService = new ConcurrentHashMap<>();
  private final Map<String, Thread> asking = new ConcurrentHashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);

  private ImageInventory(RuntimeServices runtimes) {
    this.runtimes = runtimes;
  }

  public static ImageInventory start(RuntimeServices runtimes) {
    ImageInventory inventory = new ImageInventory(runtimes);
    Thread.ofVirtual().name("image-inventory").start(inventory::run);
    return inventory;
  }

  /// All images of all services.
  public List<NodeImage> images() {
    return byService.values().stream().flatMap(List::stream).toList();
  }

  /// Lists all services now, in parallel.
  public void refresh() {
    List<ImageService> services = runtimes.imageServices();
    byService.keySet().retainAll(services.stream().map(ImageService::name).toList());
    for (ImageService service : services) {
      asking.computeIfAbsent(
          service.name(),
          name -> Thread.ofVirtual().name("images-of-" + name).start(() -> ask(service)));
    }
  }

  private void run() {
    try {
      do {
        refresh();
      } while (!closing.await(PERIOD.toSeconds(), TimeUnit.SECONDS));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void ask(ImageService service) {
    try {
      List<NodeImage> images = new ArrayList<>();
      for (ListedImage listed : new ServiceImages(runtimes).list(service)) {
        Image image = listed.image();
        if (image.getRepoDigestsCount() + image.getRepoTagsCount() > 0) {
          images.add(
              new NodeImage(
                  image.getRepoDigestsList(),
                  image.getRepoTagsList(),
                  image.getSize(),
                  service.endpoint(),
                  listed.handlers()));
        }
      }
      byService.put(service.name(), images);
    } catch (CriException e) {
      log.debug("images not listed service={} reason={}", service.name(), e.getMessage());
    } finally {
      asking.remove(service.name());
    }
  }

  @Override
  public void close() {
    closing.countDown();
    asking.values().forEach(Thread::interrupt);
  }
}
