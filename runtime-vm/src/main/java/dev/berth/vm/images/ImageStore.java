package dev.berth.vm.images;

import dev.berth.registry.ImageReference;
import dev.berth.registry.ImageRequest;
import dev.berth.vm.images.ImageCatalog.CatalogImage;
import dev.berth.vm.images.ImageException.ImageFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The images on disk, and what changes them.
final class ImageStore implements VmImages {
  private static final Logger log = LoggerFactory.getLogger(ImageStore.class);

  private final StoreDirectory directory;
  private final Set<String> pinned;
  private final LayerStore layers;
  private final ImageAssembler assembler;
  private final ImagePuller puller;
  private final ArchiveLoader loader;
  private final CatalogFile file;

  /// For changes of the catalog; taken before the lock of the layers.
  private final ReentrantLock lock = new ReentrantLock();

  private volatile ImageCatalog catalog;

  ImageStore(
      StoreDirectory directory,
      Set<String> pinned,
      LayerStore layers,
      ImageAssembler assembler,
      ImagePuller puller,
      ArchiveLoader loader)
      throws IOException {
    this.directory = directory;
    this.pinned = Set.copyOf(pinned);
    this.layers = layers;
    this.assembler = assembler;
    this.puller = puller;
    this.loader = loader;
    this.file = new CatalogFile(directory);
    this.catalog = file.read();
    removeUnnamed();
  }

  /// What the last process did not finish.
  private void removeUnnamed() throws IOException {
    layers.collect(catalog::hasLayer, true);
    try (Stream<Path> present = Files.list(directory.metadata())) {
      for (Path path : present.toList()) {
        if (catalog.byId("sha256:" + path.getFileName()).isEmpty()) {
          directory.discard(path);
        }
      }
    }
  }

  /// An image whose layers are there.
  ///
  /// @param metadata its file system, outside its place
  record NewImage(CatalogImage image, Path metadata) {}

  @Override
  public StoredImage pull(ImageRequest request) {
    return withRoom(request.image().familiar(), () -> shown(puller.pull(request, this)));
  }

  @Override
  public List<StoredImage> load(Path archive) {
    return withRoom(
        archive.toString(), () -> loader.load(archive, this).stream().map(this::shown).toList());
  }

  /// What brings images, and may fill the disk.
  private interface ImageStep<T> {
    T run() throws IOException;
  }

  /// Layers of attempts that failed stay for the next attempt only while there is room.
  private <T> T withRoom(String image, ImageStep<T> step) {
    boolean isFull = false;
    try {
      return step.run();
    } catch (IOException e) {
      isFull = ImageFailures.isNoSpace(e);
      throw ImageFailures.ofHost(image, e);
    } catch (ImageException e) {
      isFull = e.kind() == ImageFailure.NO_SPACE;
      throw e;
    } finally {
      collect(isFull);
    }
  }

  /// The image that a manifest stands for, with more names.
  Optional<CatalogImage> addNames(String manifest, List<String> tags, List<String> digests)
      throws IOException {
    lock.lock();
    try {
      Optional<CatalogImage> known = catalog.byManifest(manifest);
      if (known.isEmpty()) {
        return Optional.empty();
      }
      CatalogImage named = known.get().withNames(tags, digests);
      replace(catalog.with(named));
      return catalog.byId(named.id());
    } finally {
      lock.unlock();
    }
  }

  /// Makes images visible, all or none, while the caller has a lease for their layers.
  List<CatalogImage> add(List<NewImage> images) throws IOException {
    lock.lock();
    List<Path> published = new ArrayList<>();
    boolean isDone = false;
    try {
      ImageCatalog next = catalog;
      for (NewImage added : images) {
        if (next.byId(added.image().id()).isEmpty()) {
          Path place = directory.metadata(added.image().id());
          published.add(place);
          StoreDirectory.publish(added.metadata(), place);
        }
        next = next.with(added.image());
      }
      replace(next);
      isDone = true;
      return images.stream().flatMap(added -> catalog.byId(added.image().id()).stream()).toList();
    } finally {
      if (!isDone) {
        for (Path place : published) {
          directory.discard(place);
        }
      }
      lock.unlock();
    }
  }

  private void replace(ImageCatalog next) throws IOException {
    if (!next.equals(catalog)) {
      file.write(next);
      catalog = next;
    }
  }

  @Override
  public Optional<StoredImage> find(String name) {
    return ImageNames.find(catalog, name).map(this::shown);
  }

  @Override
  public List<StoredImage> list() {
    return catalog.images().stream().map(this::shown).toList();
  }

  private StoredImage shown(CatalogImage image) {
    StoredImage stored = image.image();
    boolean isPinned =
        Stream.concat(stored.tags().stream(), stored.digests().stream()).anyMatch(pinned::contains);
    return new StoredImage(
        stored.id(), stored.tags(), stored.digests(), stored.size(), isPinned, stored.defaults());
  }

  @Override
  public void remove(String name) {
    lock.lock();
    try {
      ImageCatalog before = catalog;
      replace(ImageNames.remove(before, name));
      Set<String> released = new HashSet<>();
      for (CatalogImage image : before.images()) {
        if (catalog.byId(image.id()).isEmpty()) {
          directory.discard(directory.metadata(image.id()));
          released.addAll(image.layers());
        }
      }
      layers.collect(layer -> catalog.hasLayer(layer) || !released.contains(layer), true);
    } catch (IOException e) {
      throw ImageFailures.ofHost(name, e);
    } finally {
      lock.unlock();
    }
  }

  /// Layers that are left over take room, nothing else.
  private void collect(boolean isAll) {
    try {
      layers.collect(layer -> catalog.hasLayer(layer), isAll);
    } catch (IOException e) {
      log.warn("layers not removed reason={}", e.toString());
    }
  }

  @Override
  public ImageStoreUsage usage() {
    collect(false);
    try {
      return directory.usage();
    } catch (IOException e) {
      throw ImageFailures.ofHost(directory.root().toString(), e);
    }
  }

  @Override
  public List<Path> extents(String imageId) {
    CatalogImage image = catalog.byId(imageId).orElseThrow(() -> ImageFailures.notFound(imageId));
    try {
      return assembler.extents(image.id(), image.layers());
    } catch (IOException e) {
      throw ImageFailures.ofHost(imageId, e);
    }
  }

  /// The names of an image, as the catalog has them.
  static String fullTag(ImageReference image) {
    return image.repository() + ":" + image.tag();
  }
}
