package dev.berth.vm.images;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.registry.ImageReference;
import dev.berth.registry.IndexReader;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.PlatformMatcher;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.transport.ContentDigest;
import dev.berth.vm.images.tar.TarFormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds the images of an archive that guests can run: in the index of an OCI layout, otherwise in
/// the manifest that `docker save` writes.
final class ArchiveImages {
  private static final String LAYOUT_INDEX = "index.json";
  private static final String DOCKER_MANIFEST = "manifest.json";
  private static final int DEEPEST_INDEX = 4;

  /// The whole name, as containerd and Docker write it.
  private static final String FULL_NAME = "io.containerd.image.name";

  /// The whole name, or its tag alone.
  private static final String REFERENCE = "org.opencontainers.image.ref.name";

  private final PlatformMatcher matcher;

  ArchiveImages(TargetPlatform guests) {
    this.matcher = new PlatformMatcher(guests);
  }

  /// @param digest of the tar file of the layer
  /// @param blobDigest of the file in the archive; empty when the archive does not say
  record ArchiveLayer(String file, String digest, String blobDigest, String mediaType) {}

  /// @param manifests digests of manifests that stand for the image
  record ArchiveImage(
      String id,
      ImageConfig config,
      List<ArchiveLayer> layers,
      List<String> tags,
      List<String> digests,
      List<String> manifests,
      long size) {
    ArchiveImage {
      layers = List.copyOf(layers);
      tags = List.copyOf(tags);
      digests = List.copyOf(digests);
      manifests = List.copyOf(manifests);
    }
  }

  /// @param name of the archive, for messages
  List<ArchiveImage> in(String name, ArchiveFile archive) throws IOException {
    if (archive.has(LAYOUT_INDEX)) {
      return ofLayout(name, archive);
    }
    if (archive.has(DOCKER_MANIFEST)) {
      return ofDocker(name, archive);
    }
    throw new TarFormatException(
        "it is no archive of images: it has neither index.json (OCI layout) nor manifest.json (docker save)");
  }

  private List<ArchiveImage> ofLayout(String name, ArchiveFile archive) throws IOException {
    JsonNode index = ArchiveFile.json(LAYOUT_INDEX, archive.bytes(LAYOUT_INDEX));
    ImageIndex listed = IndexReader.index(index);
    List<ArchiveImage> found = new ArrayList<>();
    List<IndexEntry> others = new ArrayList<>();
    for (IndexEntry entry : listed.entries()) {
      Optional<ArchiveImage> image = ofEntry(name, archive, entry, others);
      image.ifPresent(found::add);
    }
    if (found.isEmpty()) {
      throw ImageFailures.noMatch(matcher.mismatch(name, new ImageIndex(others)));
    }
    return found;
  }

  /// @param others gets the entries that guests cannot run
  private Optional<ArchiveImage> ofEntry(
      String name, ArchiveFile archive, IndexEntry entry, List<IndexEntry> others)
      throws IOException {
    IndexEntry chosen = entry;
    if (entry.isAttestation() || isForOthers(entry)) {
      others.add(entry);
      return Optional.empty();
    }
    JsonNode manifest = document(name, archive, entry.digest());
    for (int depth = 0; IndexReader.isIndex(manifest); depth++) {
      ImageIndex nested = IndexReader.index(manifest);
      Optional<IndexEntry> inner = matcher.choose(nested);
      if (depth == DEEPEST_INDEX || inner.isEmpty()) {
        others.addAll(nested.entries());
        return Optional.empty();
      }
      chosen = inner.get();
      manifest = document(name, archive, chosen.digest());
    }
    String configDigest = manifest.path("config").path("digest").asText();
    JsonNode json = document(name, archive, configDigest);
    IndexEntry known = chosen.withPlatform(IndexReader.platform(json));
    if (matcher.choose(new ImageIndex(List.of(known))).isEmpty()) {
      others.add(known);
      return Optional.empty();
    }
    ImageConfig config = ImageConfig.of(name, json);
    List<ArchiveLayer> layers = layers(name, manifest, config);
    long size = archive.size(blob(chosen.digest())) + archive.size(blob(configDigest));
    for (ArchiveLayer layer : layers) {
      size += archive.size(layer.file());
    }
    Optional<ImageReference> reference = reference(entry);
    return Optional.of(
        new ArchiveImage(
            configDigest,
            config,
            layers,
            tags(reference),
            reference
                .map(image -> List.of(image.withDigest(entry.digest()).toString()))
                .orElse(List.of()),
            List.of(chosen.digest()),
            size));
  }

  /// The content of such an entry may be missing from the archive.
  private boolean isForOthers(IndexEntry entry) {
    return entry.platformIfKnown().filter(platform -> !matcher.isRunnable(platform)).isPresent();
  }

  private static List<String> tags(Optional<ImageReference> reference) {
    return reference
        .filter(image -> image.digest().isEmpty())
        .map(image -> List.of(ImageStore.fullTag(image)))
        .orElse(List.of());
  }

  /// A tag alone names no image.
  private static Optional<ImageReference> reference(IndexEntry entry) {
    String full = entry.annotations().getOrDefault(FULL_NAME, "");
    String reference = entry.annotations().getOrDefault(REFERENCE, "");
    String name = full.isEmpty() && reference.matches(".*[/:@].*") ? reference : full;
    return name.isEmpty() ? Optional.empty() : ImageReference.parse(name);
  }

  private static List<ArchiveLayer> layers(String name, JsonNode manifest, ImageConfig config) {
    JsonNode listed = manifest.path("layers");
    checkCount(name, listed.size(), config);
    List<ArchiveLayer> layers = new ArrayList<>();
    for (int i = 0; i < listed.size(); i++) {
      String digest = listed.path(i).path("digest").asText();
      layers.add(
          new ArchiveLayer(
              blob(digest),
              config.layers().get(i),
              digest,
              listed.path(i).path("mediaType").asText()));
    }
    return layers;
  }

  private static void checkCount(String name, int count, ImageConfig config) {
    if (count != config.layers().size()) {
      throw ImageFailures.invalid(
          name,
          "a manifest has %d layers, its configuration %d".formatted(count, config.layers().size()),
          null);
    }
  }

  private static JsonNode document(String name, ArchiveFile archive, String digest)
      throws IOException {
    if (!ContentDigest.isValid(digest)) {
      throw new TarFormatException(
          "it names \"%s\", which is not a digest of sha256".formatted(digest));
    }
    String file = blob(digest);
    return ArchiveFile.json(file, ArchiveLoader.checked(name, archive, file, digest));
  }

  private static String blob(String digest) {
    return "blobs/" + digest.replaceFirst(":", "/");
  }

  private List<ArchiveImage> ofDocker(String name, ArchiveFile archive) throws IOException {
    JsonNode manifest = ArchiveFile.json(DOCKER_MANIFEST, archive.bytes(DOCKER_MANIFEST));
    List<ArchiveImage> found = new ArrayList<>();
    List<IndexEntry> others = new ArrayList<>();
    for (JsonNode image : manifest) {
      ofDocker(name, archive, image, others).ifPresent(found::add);
    }
    if (found.isEmpty()) {
      throw ImageFailures.noMatch(matcher.mismatch(name, new ImageIndex(others)));
    }
    return found;
  }

  private Optional<ArchiveImage> ofDocker(
      String name, ArchiveFile archive, JsonNode image, List<IndexEntry> others)
      throws IOException {
    String file = image.path("Config").asText();
    byte[] bytes = archive.bytes(file);
    String id = ContentDigest.of(bytes);
    String promised = file.replaceFirst(".*/", "").replace(".json", "");
    if (promised.matches("[0-9a-f]{64}")) {
      ArchiveLoader.checkDigest(name, file, "sha256:" + promised, id);
    }
    JsonNode json = ArchiveFile.json(file, bytes);
    IndexEntry entry = new IndexEntry(id, "", bytes.length, IndexReader.platform(json), Map.of());
    if (matcher.choose(new ImageIndex(List.of(entry))).isEmpty()) {
      others.add(entry);
      return Optional.empty();
    }
    ImageConfig config = ImageConfig.of(name, json);
    JsonNode listed = image.path("Layers");
    checkCount(name, listed.size(), config);
    List<ArchiveLayer> layers = new ArrayList<>();
    long size = bytes.length;
    for (int i = 0; i < listed.size(); i++) {
      String layer = listed.path(i).asText();
      layers.add(new ArchiveLayer(layer, config.layers().get(i), "", "tar"));
      size += archive.size(layer);
    }
    List<String> tags = new ArrayList<>();
    for (JsonNode tag : image.path("RepoTags")) {
      ImageReference.parse(tag.asText())
          .ifPresent(reference -> tags.add(ImageStore.fullTag(reference)));
    }
    return Optional.of(new ArchiveImage(id, config, layers, tags, List.of(), List.of(), size));
  }
}
