package dev.berth.sim.registry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.cri.serving.CallRefusal;
import dev.berth.registry.ImageManifest;
import dev.berth.registry.ImageManifest.ContentDescriptor;
import dev.berth.registry.ImageReference;
import dev.berth.registry.ImageRequest;
import dev.berth.registry.IndexReader;
import dev.berth.registry.PlatformListing;
import dev.berth.registry.RegistryClient;
import dev.berth.registry.RegistryDocument;
import dev.berth.registry.RegistryException;
import dev.berth.registry.RegistrySettings;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.transport.RegistryEndpoint;
import dev.berth.sim.images.IndexChoice;
import dev.berth.sim.images.RegistryHost;
import dev.berth.sim.images.RemoteImages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Looks images up in registries: index, manifest, configuration and layers, each with its digest
/// checked. What is not of the configured registries is not looked up.
///
/// Any thread may call it. A pull takes as much network as a real one and no disk: layers are read,
/// checked and dropped.
public final class RegistryImages implements RemoteImages, AutoCloseable {
  /// Time limit of one call to a registry. A registry that sends nothing is given up long before.
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Map<String, List<RegistryEndpoint>> endpoints = new HashMap<>();
  private final RegistryClient client;

  public RegistryImages(List<RegistryHost> registries) {
    registries.forEach(registry -> endpoints.put(registry.host(), List.of(registry.endpoint())));
    this.client = new RegistryClient(RegistrySettings.USUAL.withEndpoints(endpoints));
  }

  @Override
  public Optional<RemoteImage> find(
      ImageReference reference, String credentials, IndexChoice choice) {
    if (!endpoints.containsKey(reference.registry())) {
      return Optional.empty();
    }
    List<RegistryCredentials> used =
        credentials.isEmpty() ? List.of() : List.of(RegistryCredentials.parse(credentials));
    ImageRequest request = new ImageRequest(reference, used, LIMIT);
    PlatformListing listing;
    try {
      listing = client.entries(request);
    } catch (RegistryException e) {
      throw PullFailures.unresolved(reference, e);
    }
    return Optional.of(image(request, listing, choice));
  }

  /// Chooses the entry that containerd would choose: the best of those that fit, else the first
  /// that has no platform. A manifest without an index is taken as it is.
  private RemoteImage image(ImageRequest request, PlatformListing listing, IndexChoice choice) {
    IndexEntry entry = choice.choose(listing.index()).orElseThrow(IndexChoice::nothingFits);
    RemoteImage image = image(request, listing.digest(), entry);
    // An entry that does not say what it is for is looked into.
    if (listing.isIndex() && entry.platform() == null && !choice.isRunnable(image.platform())) {
      throw CallRefusal.notFound(
              "get image config descriptor: no match for platform in manifest %s: not found"
                  .formatted(listing.digest()))
          .completed();
    }
    return image;
  }

  private RemoteImage image(ImageRequest request, String digest, IndexEntry entry) {
    ContentDescriptor named =
        new ContentDescriptor(entry.digest(), entry.mediaType(), entry.size());
    ImageManifest manifest;
    try {
      manifest = client.manifest(request, entry.digest());
    } catch (RegistryException e) {
      throw PullFailures.uncopied(request.image(), named, e);
    }
    RegistryDocument config;
    try {
      config = client.config(request, manifest.config());
    } catch (RegistryException e) {
      throw PullFailures.uncopied(request.image(), manifest.config(), e);
    }
    // The layers count with their compressed size, as in containerd's content store.
    long size = manifest.size() + config.size();
    for (ContentDescriptor layer : manifest.layers()) {
      size += layer.size();
    }
    JsonNode run = config.json().path("config");
    List<String> command = new ArrayList<>();
    run.path("Entrypoint").forEach(word -> command.add(word.asText()));
    run.path("Cmd").forEach(word -> command.add(word.asText()));
    return new RemoteImage(
        digest,
        config.digest(),
        IndexReader.platform(config.json()),
        size,
        command,
        user(run.path("User").asText("")),
        () -> manifest.layers().forEach(layer -> check(request, layer)));
  }

  /// Reads a layer and throws it away.
  private void check(ImageRequest request, ContentDescriptor layer) {
    try {
      client.checkBlob(request, layer);
    } catch (RegistryException e) {
      throw PullFailures.uncopied(request.image(), layer, e);
    }
  }

  /// `1000` or `1000:1000`; a name would need the image's files, so it counts as root.
  private static Optional<Long> user(String text) {
    String user = text.split(":", 2)[0];
    return user.matches("[0-9]{1,10}") ? Optional.of(Long.valueOf(user)) : Optional.empty();
  }

  @Override
  public void close() {
    client.close();
  }
}
