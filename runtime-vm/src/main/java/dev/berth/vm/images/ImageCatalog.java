package dev.berth.vm.images;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// The images that are complete, with their names. What it does not name is not there. Immutable.
record ImageCatalog(List<CatalogImage> images) {
  static final ImageCatalog EMPTY = new ImageCatalog(List.of());

  ImageCatalog {
    images = List.copyOf(images);
  }

  /// @param image never pinned: that depends on the settings of this process
  /// @param manifests digests of manifests that stand for the image
  /// @param layers digests of the tar files of its layers, lowest first
  record CatalogImage(StoredImage image, List<String> manifests, List<String> layers) {
    CatalogImage {
      manifests = List.copyOf(manifests);
      layers = List.copyOf(layers);
    }

    String id() {
      return image.id();
    }

    CatalogImage withNames(List<String> tags, List<String> digests) {
      StoredImage named =
          new StoredImage(
              image.id(), tags, digests, image.size(), image.pinned(), image.defaults());
      return new CatalogImage(named, manifests, layers);
    }
  }

  Optional<CatalogImage> byId(String id) {
    return images.stream().filter(image -> image.id().equals(id)).findFirst();
  }

  Optional<CatalogImage> byManifest(String digest) {
    return images.stream().filter(image -> image.manifests().contains(digest)).findFirst();
  }

  /// Whether an image has the layer.
  boolean hasLayer(String layer) {
    return images.stream().anyMatch(image -> image.layers().contains(layer));
  }

  /// With the image, or with more names and manifests of one that is there. Its tags leave other
  /// images.
  ImageCatalog with(CatalogImage added) {
    Map<String, CatalogImage> all = new LinkedHashMap<>();
    for (CatalogImage other : images) {
      List<String> tags = new ArrayList<>(other.image().tags());
      if (!other.id().equals(added.id())) {
        tags.removeAll(added.image().tags());
      }
      all.put(other.id(), other.withNames(tags, other.image().digests()));
    }
    CatalogImage before = all.get(added.id());
    all.put(added.id(), before == null ? added : merged(before, added));
    return new ImageCatalog(List.copyOf(all.values()));
  }

  private static CatalogImage merged(CatalogImage before, CatalogImage added) {
    CatalogImage named =
        before.withNames(
            union(before.image().tags(), added.image().tags()),
            union(before.image().digests(), added.image().digests()));
    return new CatalogImage(
        named.image(), union(before.manifests(), added.manifests()), before.layers());
  }

  private static List<String> union(List<String> first, List<String> second) {
    TreeSet<String> union = new TreeSet<>(first);
    union.addAll(second);
    return List.copyOf(union);
  }

  ImageCatalog without(String id) {
    return new ImageCatalog(images.stream().filter(image -> !image.id().equals(id)).toList());
  }
}
