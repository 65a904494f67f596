package dev.berth.sim.images;

import dev.berth.cri.serving.CallRefusal;
import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.sim.call.WaitingCaller;
import dev.berth.sim.images.CatalogImage.Variant;
import dev.berth.sim.images.RemoteImages.RemoteImage;
import dev.berth.sim.profile.ContractCompatibility;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.time.SimClock;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/// The images that a runtime has, one per handler: the same name may be another image for another
/// handler.
public final class ImageStore {
  /// Length of the shortest beginning of an id that names an image, with `sha256:`: a shorter text
  /// is a reference.
  private static final int SHORTEST_ID = 12;

  private final ImageCatalog catalog;
  private final RemoteImages remote;
  private final ImagePlatform host;
  private final ContractCompatibility compatibility;
  private final SimClock timeline;
  private final ReentrantLock lock = new ReentrantLock();

  /// The images by handler and name. Guarded by the lock.
  private final Map<String, PulledImage> images = new TreeMap<>();

  /// @param remote where the catalogue's registries are asked
  /// @param compatibility decides whether an image belongs to a handler or to the host
  public ImageStore(
      ImageCatalog catalog,
      RemoteImages remote,
      ImagePlatform host,
      ContractCompatibility compatibility,
      SimClock timeline) {
    this.catalog = catalog;
    this.remote = remote;
    this.host = host;
    this.compatibility = compatibility;
    this.timeline = timeline;
  }

  /// What is to be pulled.
  ///
  /// @param handlerName as the caller named the handler
  /// @param handlerKey in its one spelling
  /// @param credentials `user:password`, or empty
  public record RequestedImage(
      String image,
      String handlerName,
      String handlerKey,
      SimHandler handler,
      String credentials) {}

  /// Pulls an image on the calling thread. The pull takes as long as the speed says, and ends early
  /// when the caller gives up. A declared image comes before a registry's, and both come before an
  /// image that exists only because every image does.
  public PulledImage pull(RequestedImage wanted, PullSpeed speed, WaitingCaller caller) {
    // Each call has a thread of its own, so nothing else is interrupted when it comes late.
    caller.onGivingUp(Thread.currentThread()::interrupt);
    String name = wanted.image();
    ImageReference reference =
        ImageReference.parse(name)
            .orElseThrow(() -> CallRefusal.unknown(ImageReference.complaint(name)));
    try {
      Optional<CatalogImage> declared = catalog.declared(reference);
      if (declared.isEmpty()) {
        Optional<RemoteImage> found =
            remote.find(reference, wanted.credentials(), choice(wanted.handler()));
        if (found.isPresent()) {
          fetchLayers(found.get());
          caller.pause(timeline, speed.timeFor(found.get().size()));
          return keep(pulled(found.get(), reference, wanted));
        }
      }
      CatalogImage image =
          declared
              .or(() -> catalog.imagined(reference, choice(wanted.handler()).platform()))
              .orElseThrow(
                  () -> CallRefusal.notFound(unresolved(reference) + reference + ": not found"));
      checkCredentials(image, reference, wanted.credentials());
      Variant variant =
          choice(wanted.handler()).choose(image).orElseThrow(IndexChoice::nothingFits);
      caller.pause(timeline, image.pullTime().orElseGet(() -> speed.timeFor(variant.size())));
      return keep(pulled(image, variant, reference, wanted.handlerKey(), wanted.handlerName()));
    } catch (CallRefusal e) {
      throw e.code() == Status.Code.CANCELLED
          ? e
          : e.in("failed to pull and unpack image \"%s\"".formatted(reference));
    }
  }

  /// Fetches the layers unless the store has the image under another name or for another handler.
  private void fetchLayers(RemoteImage image) {
    if (list().stream().noneMatch(known -> known.id().equals(image.id()))) {
      image.layers().run();
    }
  }

  private static void checkCredentials(
      CatalogImage image, ImageReference reference, String credentials) {
    if (!image.credentials().isEmpty() && !image.credentials().equals(credentials)) {
      throw CallRefusal.unknown(
          unresolved(reference)
              + "pulling from host %s failed with status code [manifests %s]: 401 Unauthorized"
                  .formatted(
                      reference.repository().split("/", 2)[0],
                      reference.digest().isEmpty() ? reference.tag() : reference.digest()));
    }
  }

  private static String unresolved(ImageReference reference) {
    return "failed to resolve reference \"%s\": ".formatted(reference);
  }

  private IndexChoice choice(SimHandler handler) {
    return compatibility.hasImagesByHandler()
        ? new IndexChoice(handler, host)
        : IndexChoice.ofHost(host);
  }

  /// Puts the declared images in place that a handler has from the start.
  public void preload(SimHandler handler) {
    IndexChoice choice = choice(handler);
    for (CatalogImage image : catalog.images()) {
      if (image.present()) {
        choice
            .choose(image)
            .ifPresent(variant -> keep(pulled(image, variant, image.reference(), "", "")));
      }
    }
  }

  /// Finds an image of one handler by its name, its digest, its id or the beginning of its id.
  public Optional<PulledImage> find(String name, String handler) {
    Optional<ImageReference> reference = ImageReference.parse(name);
    String id = name.startsWith("sha256:") ? name : "sha256:" + name;
    return list().stream()
        .filter(image -> image.handler().equals(handler))
        .filter(
            image ->
                (reference.isPresent() && answersTo(image, reference.get()))
                    || (id.length() >= SHORTEST_ID && image.id().startsWith(id)))
        .findFirst();
  }

  /// The image under all its names: those of one handler that have one configuration. The first is
  /// the given one.
  public List<PulledImage> sameAs(PulledImage image) {
    return Stream.concat(Stream.of(image), list().stream().filter(other -> isSame(other, image)))
        .distinct()
        .toList();
  }

  private static boolean isSame(PulledImage one, PulledImage other) {
    return one.id().equals(other.id()) && one.handler().equals(other.handler());
  }

  public List<PulledImage> list() {
    lock.lock();
    try {
      return new ArrayList<>(images.values());
    } finally {
      lock.unlock();
    }
  }

  /// Removes all names of the image that the name stands for, as containerd does; does nothing if
  /// there is no such image.
  public void remove(String name, String handler) {
    Optional<PulledImage> found = find(name, handler);
    lock.lock();
    try {
      found.ifPresent(image -> images.values().removeIf(other -> isSame(other, image)));
    } finally {
      lock.unlock();
    }
  }

  public void clear() {
    lock.lock();
    try {
      images.clear();
    } finally {
      lock.unlock();
    }
  }

  private PulledImage keep(PulledImage image) {
    lock.lock();
    try {
      images.put(image.handler() + " " + image.reference(), image);
    } finally {
      lock.unlock();
    }
    return image;
  }

  private static PulledImage pulled(
      CatalogImage image,
      Variant variant,
      ImageReference reference,
      String handlerKey,
      String handlerName) {
    return new PulledImage(
        handlerKey,
        handlerName,
        image.id(variant),
        reference,
        image.digest(),
        variant.platform(),
        variant.size(),
        image.command(),
        image.user());
  }

  private static PulledImage pulled(
      RemoteImage image, ImageReference reference, RequestedImage wanted) {
    return new PulledImage(
        wanted.handlerKey(),
        wanted.handlerName(),
        image.id(),
        reference,
        image.digest(),
        image.platform(),
        image.size(),
        image.command(),
        image.user());
  }

  private static boolean answersTo(PulledImage image, ImageReference reference) {
    if (!image.reference().repository().equals(reference.repository())) {
      return false;
    }
    return reference.digest().isEmpty()
        ? image.reference().tag().equals(reference.tag())
        : image.digest().equals(reference.digest());
  }
}
