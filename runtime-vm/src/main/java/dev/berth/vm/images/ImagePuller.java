package dev.berth.vm.images;

import dev.berth.registry.ImageManifest;
import dev.berth.registry.ImageManifest.ContentDescriptor;
import dev.berth.registry.ImageReference;
import dev.berth.registry.ImageRequest;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.RegistryDocument;
import dev.berth.registry.RegistryException;
import dev.berth.registry.ResolvedImage;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.transport.TimeBudget;
import dev.berth.vm.images.ImageCatalog.CatalogImage;
import dev.berth.vm.images.ImageStore.NewImage;
import dev.berth.vm.images.LayerStore.LayerBlob;
import dev.berth.vm.images.LayerStore.LayerLease;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/// Brings an image from its registry to this host.
final class ImagePuller {
  private final RegistryClient registry;
  private final TargetPlatform guests;
  private final StoreDirectory directory;
  private final LayerStore layers;
  private final ImageAssembler assembler;
  private final SharedWork shared = new SharedWork();

  ImagePuller(
      RegistryClient registry,
      TargetPlatform guests,
      StoreDirectory directory,
      LayerStore layers,
      ImageAssembler assembler) {
    this.registry = registry;
    this.guests = guests;
    this.directory = directory;
    this.layers = layers;
    this.assembler = assembler;
  }

  /// An image that is there costs the one request that finds out what its name means.
  CatalogImage pull(ImageRequest request, ImageStore store) throws IOException {
    TimeBudget budget = TimeBudget.startingNow(request.limit());
    String image = request.image().familiar();
    try {
      ResolvedImage located = registry.locate(request, guests);
      List<String> tags = tags(request.image());
      List<String> digests =
          List.of(request.image().withDigest(located.listing().digest()).toString());
      Optional<CatalogImage> known = store.addNames(located.entry().digest(), tags, digests);
      return known.isPresent()
          ? known.get()
          : fetch(request, manifest(request, located), tags, digests, budget, store);
    } catch (RegistryException e) {
      throw ImageFailures.ofRegistry(image, e);
    } catch (TimeoutException _) {
      throw ImageFailures.timedOut(image, request.limit().toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ImageFailures.cancelled(image, e);
    }
  }

  private static List<String> tags(ImageReference image) {
    return image.digest().isEmpty() ? List.of(ImageStore.fullTag(image)) : List.of();
  }

  /// The manifest to pull. An entry that does not say its platform is looked into, by digest,
  /// because the tag may move meanwhile.
  private String manifest(ImageRequest request, ResolvedImage located) {
    if (located.entry().platform() != null) {
      return located.entry().digest();
    }
    ImageReference exact = request.image().withDigest(located.listing().digest());
    ImageRequest byDigest = new ImageRequest(exact, request.credentials(), request.limit());
    return registry.resolve(byDigest, guests).entry().digest();
  }

  private CatalogImage fetch(
      ImageRequest request,
      String digest,
      List<String> tags,
      List<String> digests,
      TimeBudget budget,
      ImageStore store)
      throws IOException, InterruptedException, TimeoutException {
    String image = request.image().familiar();
    ImageManifest manifest = registry.manifest(request, digest);
    RegistryDocument document = registry.config(request, manifest.config());
    ImageConfig config = ImageConfig.of(image, document.json());
    List<LayerBlob> blobs = blobs(image, manifest, config);
    long size = manifest.size() + document.size();
    for (LayerBlob blob : blobs) {
      size += blob.size();
    }
    CatalogImage made =
        new CatalogImage(
            new StoredImage(document.digest(), tags, digests, size, false, config.defaults()),
            List.of(manifest.digest()),
            config.layers());
    try (LayerLease _ = layers.lease(config.layers(), true)) {
      LayerDownloads.run(blobs, blob -> ensure(image, request, blob, budget));
      return add(image, made, store);
    }
  }

  private static List<LayerBlob> blobs(String image, ImageManifest manifest, ImageConfig config) {
    if (manifest.layers().size() != config.layers().size()) {
      throw ImageFailures.invalid(
          image,
          "its manifest has %d layers, its configuration %d"
              .formatted(manifest.layers().size(), config.layers().size()),
          null);
    }
    List<LayerBlob> blobs = new ArrayList<>();
    for (int i = 0; i < config.layers().size(); i++) {
      ContentDescriptor layer = manifest.layers().get(i);
      blobs.add(
          new LayerBlob(config.layers().get(i), layer.digest(), layer.mediaType(), layer.size()));
    }
    return blobs;
  }

  private CatalogImage add(String image, CatalogImage made, ImageStore store) throws IOException {
    Path work = directory.newWork();
    try {
      Path metadata = work.resolve("metadata");
      assembler.assemble(image, made.id(), made.layers(), metadata);
      return store.add(List.of(new NewImage(made, metadata))).getFirst();
    } finally {
      StoreDirectory.deleteTree(work);
    }
  }

  /// Pulls of the same blob from the same registry share the work. A slow registry delays no pull
  /// from another one.
  private void ensure(String image, ImageRequest request, LayerBlob blob, TimeBudget budget)
      throws IOException, InterruptedException, TimeoutException {
    if (layers.has(blob.layer())) {
      return;
    }
    String key = request.image().registry() + " " + blob.digest() + " " + blob.layer();
    shared.run(
        key,
        budget,
        () -> {
          if (!layers.has(blob.layer())) {
            fetchLayer(image, request, blob, budget);
          }
        });
  }

  private void fetchLayer(String image, ImageRequest request, LayerBlob blob, TimeBudget budget)
      throws IOException, InterruptedException {
    Path work = directory.newWork();
    try {
      Path file = work.resolve("blob");
      ImageRequest rest =
          new ImageRequest(request.image(), request.credentials(), budget.remaining());
      registry.pullBlob(
          rest, new ContentDescriptor(blob.digest(), blob.mediaType(), blob.size()), file);
      LayerBlob complete =
          new LayerBlob(blob.layer(), blob.digest(), blob.mediaType(), Files.size(file));
      try (InputStream content = Files.newInputStream(file)) {
        layers.convert(image, complete, content, budget);
      }
    } catch (RegistryException e) {
      throw ImageFailures.ofLayer(image, blob.digest(), e);
    } catch (TimeoutException _) {
      throw new LayerStream.LayerTimeException();
    } finally {
      StoreDirectory.deleteTree(work);
    }
  }
}
