package dev.berth.agent.images;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.agent.images.CollectionPlan.Candidate;
import dev.berth.agent.runtimes.ImageAnnotations;
import dev.berth.agent.runtimes.ImageService;
import dev.berth.agent.runtimes.ListedImage;
import dev.berth.agent.runtimes.RuntimeEndpoint;
import dev.berth.agent.runtimes.RuntimeServices;
import dev.berth.agent.runtimes.ServiceImages;
import dev.berth.cri.CriException;
import dev.berth.cri.v1.Container;
import dev.berth.cri.v1.ContainerFilter;
import dev.berth.cri.v1.Image;
import dev.berth.cri.v1.PodSandboxFilter;
import dev.berth.registry.platforms.ImagePlatform;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes images away from one image service. When one of the runtime services whose images are
/// there does not answer, nobody knows what it uses, and all stay.
final class ImageStoreCollector {
  private static final Logger log = LoggerFactory.getLogger(ImageStoreCollector.class);
  private static final JsonMapper MAPPER = new JsonMapper();

  /// What a service could do without.
  ///
  /// @param disks on which its images are, as far as that is known
  record Holding(ImageService service, List<StoredImage> unused, List<ImageDisk> disks) {
    Holding {
      unused = List.copyOf(unused);
      disks = List.copyOf(disks);
    }

    Stream<Candidate> candidates() {
      return unused.stream().map(image -> new Candidate(service.endpoint(), image));
    }
  }

  private record Times(Instant firstSeen, Instant lastUsed) {}

  private final ImageService service;
  private final RuntimeServices runtimes;
  private final ServiceImages images;
  private final HandlerPlatforms targets;
  private final ImageMemory memory;
  private final InstantSource clock;

  /// Of those who look at the same time.
  private final ReentrantLock lock = new ReentrantLock();

  /// Of the images that are there; guarded by the lock.
  private Map<String, Times> times = Map.of();

  ImageStoreCollector(
      ImageService service,
      RuntimeServices runtimes,
      ImagePlatform host,
      ImageMemory memory,
      InstantSource clock) {
    this.memory = memory;
    this.service = service;
    this.runtimes = runtimes;
    this.images = new ServiceImages(runtimes);
    this.targets = new HandlerPlatforms(service, runtimes, host);
    this.clock = clock;
  }

  ImageService service() {
    return service;
  }

  /// Empty when that is not known. The top of its thread.
  Optional<Holding> look(CollectionRules rules) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      ImagesInUse inUse = inUse();
      Instant now = clock.instant();
      ImageMemory.ListingStart start = memory.listingStarts();
      List<Image> listed = listed();
      boolean areHandlersReported =
          listed.stream().anyMatch(image -> !ImageAnnotations.handler(image.getSpec()).isEmpty());
      Predicate<StoredImage> isUsed = image -> inUse.include(image, areHandlersReported);
      List<StoredImage> images = images(listed, isUsed, now);
      memory.retain(service, images, start);
      List<StoredImage> unused = CollectionPlan.unused(images, isUsed, rules, now);
      return Optional.of(new Holding(service, unused, disks()));
    } catch (CriException e) {
      giveUp(e);
      log.warn("images are not collected service={} reason={}", service.name(), e.getMessage());
    } catch (RuntimeException e) {
      log.error("images are not collected service={}", service.name(), e);
    } finally {
      lock.unlock();
    }
    return Optional.empty();
  }

  /// Removes images; one that cannot be removed is no reason to keep the others. The top of its
  /// thread.
  void remove(List<StoredImage> images) throws InterruptedException {
    for (StoredImage image : images) {
      try {
        service.client().removeImage(ImageSpecs.stored(image, targets.platform(image.handler())));
        log.info(
            "image removed service={} image={} bytes={}", service.name(), image.id(), image.size());
      } catch (CriException e) {
        giveUp(e);
        log.warn(
            "image not removed service={} image={} reason={}",
            service.name(),
            image.id(),
            e.getMessage());
        if (e.isUnanswered()) {
          return;
        }
      }
    }
  }

  private static void giveUp(CriException e) throws InterruptedException {
    if (e.isCancelled()) {
      throw new InterruptedException();
    }
  }

  /// None where the service does not report them: then nothing is removed because of disk usage.
  private List<ImageDisk> disks() throws InterruptedException {
    try {
      return service.client().imageFsInfo().getImageFilesystemsList().stream()
          .flatMap(usage -> ImageDisk.of(Path.of(usage.getFsId().getMountpoint())).stream())
          .toList();
    } catch (CriException e) {
      giveUp(e);
      log.warn(
          "disks of images are not known service={} reason={}", service.name(), e.getMessage());
      return List.of();
    }
  }

  private ImagesInUse inUse() {
    ImagesInUse inUse = new ImagesInUse();
    for (RuntimeEndpoint runtime : runtimes.runtimeServices()) {
      if (!runtime.imageService().endpoint().equals(service.endpoint())) {
        continue;
      }
      JsonNode config = config(runtime);
      // Sandboxes last: the sandbox of a container that was listed is there, too.
      List<Container> containers =
          runtime.runtime().listContainers(ContainerFilter.getDefaultInstance());
      inUse.add(
          containers,
          runtime.runtime().listPodSandboxes(PodSandboxFilter.getDefaultInstance()),
          config.path("containerd").path("defaultRuntimeName").asText());
      // Newer services pin it; older ones report it in their configuration.
      inUse.add(config.path("sandboxImage").asText());
    }
    return inUse;
  }

  private static JsonNode config(RuntimeEndpoint runtime) {
    try {
      String config = runtime.runtime().status(true).getInfoMap().getOrDefault("config", "{}");
      return MAPPER.readTree(config);
    } catch (JsonProcessingException _) {
      return MissingNode.getInstance();
    }
  }

  private List<Image> listed() {
    return images.list(service).stream().map(ListedImage::image).toList();
  }

  private List<StoredImage> images(List<Image> listed, Predicate<StoredImage> isUsed, Instant now) {
    List<StoredImage> images = new ArrayList<>();
    Map<String, Times> present = new HashMap<>();
    for (Image image : listed) {
      StoredImage found = StoredImage.of(image, now, now);
      Times known = times.getOrDefault(found.key(), new Times(now, now));
      Times seen = new Times(known.firstSeen(), isUsed.test(found) ? now : known.lastUsed());
      present.put(found.key(), seen);
      images.add(StoredImage.of(image, seen.firstSeen(), seen.lastUsed()));
    }
    times = present;
    return images;
  }
}
