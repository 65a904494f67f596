package dev.berth.sim.images;

import dev.berth.registry.ImageReference;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.MediaTypes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The images that can be pulled: declared ones, those of configured registries, and, if the
/// configuration says so, every other reference. Immutable.
public final class ImageCatalog {
  private final List<CatalogImage> images;
  private final boolean anyImage;
  private final List<RegistryHost> registries;
  private final Map<String, CatalogImage> byName = new HashMap<>();

  /// @param anyImage whether a reference that is not declared is an image for every platform
  /// @param registries where else to look for what is not declared
  public ImageCatalog(List<CatalogImage> images, boolean anyImage, List<RegistryHost> registries) {
    this.images = List.copyOf(images);
    this.anyImage = anyImage;
    this.registries = List.copyOf(registries);
    for (CatalogImage image : images) {
      ImageReference reference = image.reference();
      byName.put(name(reference), image);
      byName.put(reference.repository() + "@" + image.digest(), image);
      for (CatalogImage.Variant variant : image.variants()) {
        byName.putIfAbsent(reference.repository() + "@" + image.id(variant), image.entry(variant));
      }
    }
  }

  /// A catalog in which every image exists.
  public static ImageCatalog ofAnything() {
    return new ImageCatalog(List.of(), true, List.of());
  }

  public List<CatalogImage> images() {
    return images;
  }

  public boolean anyImage() {
    return anyImage;
  }

  public List<RegistryHost> registries() {
    return registries;
  }

  Optional<CatalogImage> declared(ImageReference reference) {
    return Optional.ofNullable(byName.get(name(reference)));
  }

  /// The image of a reference that is not declared, where every image exists; empty otherwise.
  Optional<CatalogImage> imagined(ImageReference reference, ImagePlatform platform) {
    if (!anyImage) {
      return Optional.empty();
    }
    return Optional.of(
        new CatalogImage(
            reference,
            true,
            UndeclaredImages.variants(reference, platform),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            "",
            false));
  }

  /// What the registry of an image would show; empty when the image does not exist, or is of a real
  /// registry.
  ///
  /// @param platform for which an image exists that is not declared
  public Optional<ImageIndex> index(ImageReference reference, ImagePlatform platform) {
    return declared(reference).or(() -> imagined(reference, platform)).map(ImageCatalog::index);
  }

  /// The same for an image that is declared.
  public Optional<ImageIndex> declaredIndex(ImageReference reference) {
    return declared(reference).map(ImageCatalog::index);
  }

  private static ImageIndex index(CatalogImage image) {
    return new ImageIndex(image.variants().stream().map(variant -> entry(image, variant)).toList());
  }

  private static IndexEntry entry(CatalogImage image, CatalogImage.Variant variant) {
    return new IndexEntry(
        image.id(variant), MediaTypes.OCI_MANIFEST, variant.size(), variant.platform(), Map.of());
  }

  private static String name(ImageReference reference) {
    return reference.repository()
        + (reference.digest().isEmpty() ? ":" + reference.tag() : "@" + reference.digest());
  }
}
