package dev.berth.agent.images;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.Runtimes;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.ImageFilter;
import dev.berth.cri.v1.ImageSpec;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes images away from one image service. When one of the runtime services whose images are
/// there does not answer, nobody knows what it uses, and all stay.
final class StoreCollector {
  private static final Logger log = LoggerFactory.getLogger(StoreCollector.class);
  private static final JsonMapper MAPPER = new JsonMapper();

  /// Which images are to go.
  interface Choice {
    List<StoredImage> of(ImageService service, List<StoredImage> images, Set<String> inUse)
        throws IOException;
  }

  private record Times(Instant firstSeen, Instant lastUsed) {}

  private final ImageService service;
  private final Runtimes runtimes;
  private final InstantSource clock;

  /// So that images are removed by one at a time.
  private final ReentrantLock lock = new ReentrantLock();

  /// Of the images that are there; guarded by the lock.
  private Map<String, Times> times = Map.of();

  StoreCollector(ImageService service, Runtimes runtimes, InstantSource clock) {
    this.service = service;
    this.runtimes = runtimes;
    this.clock = clock;
  }

  /// The top of its thread; waits for another round that is still busy here.
  void collect(Choice choice) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      collectLocked(choice);
    } catch (CriException | IOException e) {
      if (e instanceof CriException call && call.isCancelled()) {
        throw new InterruptedException();
      }
      log.warn("images are not collected service={}: {}", service.name(), e.getMessage());
    } catch (RuntimeException e) {
      log.error("images are not collected service={}", service.name(), e);
    } finally {
      lock.unlock();
    }
  }

  private void collectLocked(Choice choice) throws IOException {
    Set<String> inUse = inUse();
    for (StoredImage image : choice.of(service, images(inUse, clock.instant()), inUse)) {
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

  /// Every name of an image of which some container was made, and those of sandboxes.
  private Set<String> inUse() {
    Set<String> names = new HashSet<>();
    for (RuntimeEndpoint runtime : runtimes.runtimeServices()) {
      if (!runtime.imageService().endpoint().equals(service.endpoint())) {
        continue;
      }
      for (Container container :
          runtime.runtime().listContainers(ContainerFilter.getDefaultInstance())) {
        names.add(container.getImage().getImage());
        names.add(container.getImageRef());
        names.add(container.getImageId());
      }
      names.add(sandboxImage(runtime));
    }
    names.remove("");
    return names;
  }

  /// Newer services pin it; older ones tell it among their configuration.
  private static String sandboxImage(RuntimeEndpoint runtime) {
    try {
      String config = runtime.runtime().status(true).getInfoMap().getOrDefault("config", "{}");
      return MAPPER.readTree(config).path("sandboxImage").asText();
    } catch (JsonProcessingException _) {
      return "";
    }
  }

  private List<StoredImage> images(Set<String> inUse, Instant now) {
    List<StoredImage> images = new ArrayList<>();
    Map<String, Times> present = new HashMap<>();
    for (Image image : service.client().listImages(ImageFilter.getDefaultInstance())) {
      StoredImage found = StoredImage.of(image, now, now);
      Times known = times.getOrDefault(found.key(), new Times(now, now));
      boolean used = found.names().stream().anyMatch(inUse::contains);
      Times seen = new Times(known.firstSeen(), used ? now : known.lastUsed());
      present.put(found.key(), seen);
      images.add(StoredImage.of(image, seen.firstSeen(), seen.lastUsed()));
    }
    times = present;
    return images;
  }
}
