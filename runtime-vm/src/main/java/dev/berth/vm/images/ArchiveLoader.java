package dev.berth.vm.images;

import dev.berth.registry.transport.ContentDigest;
import dev.berth.registry.transport.TimeBudget;
import dev.berth.vm.images.ArchiveImages.ArchiveImage;
import dev.berth.vm.images.ArchiveImages.ArchiveLayer;
import dev.berth.vm.images.ImageCatalog.CatalogImage;
import dev.berth.vm.images.ImageStore.NewImage;
import dev.berth.vm.images.LayerStore.LayerBlob;
import dev.berth.vm.images.LayerStore.LayerLease;
import dev.berth.vm.images.layers.LayerFormatException;
import dev.berth.vm.images.tar.TarFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeoutException;

/// Takes the images of an archive.
final class ArchiveLoader {
  private static final Duration LIMIT = Duration.ofMinutes(30);

  private final ArchiveImages images;
  private final StoreDirectory directory;
  private final LayerStore layers;
  private final ImageAssembler assembler;

  ArchiveLoader(
      ArchiveImages images, StoreDirectory directory, LayerStore layers, ImageAssembler assembler) {
    this.images = images;
    this.directory = directory;
    this.layers = layers;
    this.assembler = assembler;
  }

  List<CatalogImage> load(Path path, ImageStore store) throws IOException {
    String name = path.toString();
    try (ArchiveFile archive = ArchiveFile.open(path)) {
      List<ArchiveImage> found = images.in(name, archive);
      List<String> needed =
          found.stream().flatMap(image -> image.config().layers().stream()).distinct().toList();
      try (LayerLease _ = layers.lease(needed, false)) {
        for (ArchiveImage image : found) {
          for (ArchiveLayer layer : image.layers()) {
            convert(name, archive, layer);
          }
        }
        return add(name, found, store);
      }
    } catch (TarFormatException | LayerFormatException e) {
      throw ImageFailures.invalid(name, String.valueOf(e.getMessage()), e);
    } catch (TimeoutException _) {
      throw ImageFailures.timedOut(name, LIMIT.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ImageFailures.cancelled(name, e);
    }
  }

  private void convert(String name, ArchiveFile archive, ArchiveLayer layer)
      throws IOException, InterruptedException, TimeoutException {
    if (layers.has(layer.digest())) {
      return;
    }
    LayerBlob blob =
        new LayerBlob(
            layer.digest(),
            layer.blobDigest().isEmpty() ? layer.digest() : layer.blobDigest(),
            layer.mediaType(),
            archive.size(layer.file()));
    checkBlob(name, archive, layer);
    try (InputStream content = archive.read(layer.file())) {
      layers.convert(name, blob, content, TimeBudget.startingNow(LIMIT));
    }
  }

  /// Before its content counts: the digest of the content alone would accept a blob that is not the
  /// one of the manifest.
  private static void checkBlob(String name, ArchiveFile archive, ArchiveLayer layer)
      throws IOException {
    if (layer.blobDigest().isEmpty() || layer.blobDigest().equals(layer.digest())) {
      return;
    }
    MessageDigest hash = LayerStream.sha256();
    try (DigestInputStream in = new DigestInputStream(archive.read(layer.file()), hash)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    checkDigest(
        name,
        layer.file(),
        layer.blobDigest(),
        "sha256:" + HexFormat.of().formatHex(hash.digest()));
  }

  static void checkDigest(String name, String file, String expected, String actual) {
    if (!actual.equals(expected)) {
      throw ImageFailures.invalid(
          name,
          "its file %s is damaged: it has the digest %s instead of %s"
              .formatted(file, actual, expected),
          null);
    }
  }

  /// A file of the archive, whose digest is right.
  static byte[] checked(String name, ArchiveFile archive, String file, String digest)
      throws IOException {
    byte[] bytes = archive.bytes(file);
    checkDigest(name, file, digest, ContentDigest.of(bytes));
    return bytes;
  }

  private List<CatalogImage> add(String name, List<ArchiveImage> found, ImageStore store)
      throws IOException {
    Path work = directory.newWork();
    try {
      List<NewImage> made = new ArrayList<>();
      for (ArchiveImage image : found) {
        Path metadata = work.resolve(String.valueOf(made.size()));
        assembler.assemble(name, image.id(), image.config().layers(), metadata);
        StoredImage stored =
            new StoredImage(
                image.id(),
                image.tags(),
                image.digests(),
                image.size(),
                false,
                image.config().defaults());
        made.add(
            new NewImage(
                new CatalogImage(stored, image.manifests(), image.config().layers()), metadata));
      }
      return store.add(made).stream().distinct().toList();
    } finally {
      StoreDirectory.deleteTree(work);
    }
  }
}
