package dev.berth.sim.registry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.registry.ImageReference;
import dev.berth.sim.call.CallRefusal;
import dev.berth.sim.images.IndexChoice;
import dev.berth.sim.images.RegistryHost;
import dev.berth.sim.images.RemoteImages;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Looks images up in registries: index, manifest, configuration and layers, each with its digest
/// checked.
public final class RegistryImages implements RemoteImages {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final HttpClient http;
  private final Map<String, RegistryHost> hosts = new HashMap<>();

  /// Follows no redirects by itself, because it would take credentials along.
  public static HttpClient client() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(CONNECT)
        .build();
  }

  /// @param http as `client` makes it
  public RegistryImages(HttpClient http, List<RegistryHost> registries) {
    this.http = http;
    registries.forEach(registry -> hosts.put(registry.host(), registry));
  }

  @Override
  public Optional<RemoteImage> find(
      ImageReference reference, String credentials, IndexChoice choice) {
    String[] name = reference.repository().split("/", 2);
    return Optional.ofNullable(hosts.get(name[0]))
        .map(
            host -> {
              String used = credentials.isEmpty() ? host.credentials() : credentials;
              ImageRepository repository =
                  new ImageRepository(
                      host, name[1], new RegistryTransfer(http, new RegistryAuthorization(used)));
              return look(repository, reference, choice);
            });
  }

  private static RemoteImage look(
      ImageRepository repository, ImageReference reference, IndexChoice choice) {
    RegistryDocument top;
    try {
      top = repository.resolve(reference);
    } catch (CallRefusal e) {
      throw e.in("failed to resolve reference \"%s\"".formatted(reference));
    }
    if (!top.isIndex()) {
      return image(top, top, repository);
    }
    ContentDescriptor entry = entry(top, choice);
    RemoteImage image = image(top, repository.manifest(entry), repository);
    // An entry that does not say what it is for is looked into.
    if (entry.platform().isEmpty() && !choice.isRunnable(image.platform())) {
      throw CallRefusal.notFound(
              "get image config descriptor: no match for platform in manifest %s: not found"
                  .formatted(top.digest()))
          .completed();
    }
    return image;
  }

  /// As containerd: the best of those that fit, else the first that does not say what it is for.
  private static ContentDescriptor entry(RegistryDocument index, IndexChoice choice) {
    List<ContentDescriptor> entries = descriptors(index.json().path("manifests"));
    return choice
        .choose(
            entries.stream().filter(entry -> entry.platform().isPresent()).toList(),
            entry -> entry.platform().orElseThrow())
        .or(() -> entries.stream().filter(entry -> entry.platform().isEmpty()).findFirst())
        .orElseThrow(IndexChoice::nothingFits);
  }

  private static RemoteImage image(
      RegistryDocument top, RegistryDocument manifest, ImageRepository repository) {
    RegistryDocument config =
        repository.config(ContentDescriptor.of(manifest.json().path("config")));
    List<ContentDescriptor> layers = descriptors(manifest.json().path("layers"));
    long size = manifest.size() + config.size();
    for (ContentDescriptor layer : layers) {
      size += layer.size();
    }
    JsonNode run = config.json().path("config");
    List<String> command = new ArrayList<>();
    run.path("Entrypoint").forEach(word -> command.add(word.asText()));
    run.path("Cmd").forEach(word -> command.add(word.asText()));
    return new RemoteImage(
        top.digest(),
        config.digest(),
        ContentDescriptor.platformOf(config.json()),
        size,
        command,
        user(run.path("User").asText("")),
        () -> layers.forEach(repository::layer));
  }

  private static List<ContentDescriptor> descriptors(JsonNode list) {
    List<ContentDescriptor> descriptors = new ArrayList<>();
    list.forEach(node -> descriptors.add(ContentDescriptor.of(node)));
    return descriptors;
  }

  /// `1000` or `1000:1000`; a name would need the image's files, so it counts as root.
  private static Optional<Long> user(String text) {
    String user = text.split(":", 2)[0];
    return user.matches("[0-9]{1,10}") ? Optional.of(Long.valueOf(user)) : Optional.empty();
  }
}
