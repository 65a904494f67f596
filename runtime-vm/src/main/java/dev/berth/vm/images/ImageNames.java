package dev.berth.vm.images;

import dev.berth.registry.ImageReference;
import dev.berth.vm.images.ImageCatalog.CatalogImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Finds and removes names of images.
final class ImageNames {
  private static final String SHA256 = "sha256:";
  private static final Pattern PREFIX = Pattern.compile("[0-9a-f]{1,64}");

  private ImageNames() {}

  /// By id, by reference, then by a prefix of an id that only one image has.
  static Optional<CatalogImage> find(ImageCatalog catalog, String name) {
    return catalog
        .byId(name)
        .or(() -> ImageReference.parse(name).flatMap(image -> byReference(catalog, image)))
        .or(() -> byPrefix(catalog, name));
  }

  private static Optional<CatalogImage> byReference(ImageCatalog catalog, ImageReference image) {
    String full = fullName(image);
    return catalog.images().stream()
        .filter(
            other -> other.image().tags().contains(full) || other.image().digests().contains(full))
        .findFirst();
  }

  /// A digest says what a tag beside it may not mean any more.
  static String fullName(ImageReference image) {
    return (image.digest().isEmpty() ? image : image.withDigest(image.digest())).toString();
  }

  private static Optional<CatalogImage> byPrefix(ImageCatalog catalog, String name) {
    String hex = hexOf(name);
    if (!PREFIX.matcher(hex).matches()) {
      return Optional.empty();
    }
    List<CatalogImage> found =
        catalog.images().stream().filter(image -> hexOf(image.id()).startsWith(hex)).toList();
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }

  static String hexOf(String id) {
    return id.startsWith(SHA256) ? id.substring(SHA256.length()) : id;
  }

  /// Without the name; with the last one, or an id, the image goes.
  static ImageCatalog remove(ImageCatalog catalog, String name) {
    Optional<CatalogImage> found = find(catalog, name);
    if (found.isEmpty()) {
      return catalog;
    }
    CatalogImage image = found.get();
    Optional<ImageReference> reference = ImageReference.parse(name);
    if (reference.isEmpty() || byReference(catalog, reference.get()).isEmpty()) {
      return catalog.without(image.id());
    }
    CatalogImage left = without(image, reference.get());
    boolean isLast = left.image().tags().isEmpty() && left.image().digests().isEmpty();
    if (isLast) {
      return catalog.without(image.id());
    }
    return new ImageCatalog(
        catalog.images().stream()
            .map(other -> other.id().equals(left.id()) ? left : other)
            .toList());
  }

  /// A digest came with a tag, so it goes with the last tag of its repository, as in Docker.
  private static CatalogImage without(CatalogImage image, ImageReference removed) {
    String full = fullName(removed);
    List<String> tags = new ArrayList<>(image.image().tags());
    List<String> digests = new ArrayList<>(image.image().digests());
    boolean wasTag = tags.remove(full);
    digests.remove(full);
    if (wasTag && tags.stream().noneMatch(tag -> isOf(tag, removed))) {
      digests.removeIf(digest -> isOf(digest, removed));
    }
    return image.withNames(tags, digests);
  }

  private static boolean isOf(String name, ImageReference image) {
    return ImageReference.repositoryOf(name).equals(image.repository());
  }
}
