package dev.berth.sim.registry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sim.call.Refusal;
import dev.berth.sim.images.ImageReference;
import dev.berth.sim.images.IndexChoice;
import dev.berth.sim.images.RegistryHost;
import dev.berth.sim.images.RemoteImages;
import dev.berth.sim.profile.Platform;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Looks images up in registries: index, manifest and configuration, each with its digest checked.
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
              Repository repository =
                  new Repository(host, name[1], new Transfer(http, new Authorization(used)));
              return look(repository, reference, choice);
            });
  }

  private static RemoteImage look(
      Repository repository, ImageReference reference, IndexChoice choice) {
    Document top;
    try {
      top = repository.resolve(reference);
    } catch (Refusal e) {
      throw e.in("failed to resolve reference \"%s\"".formatted(reference));
    }
    Document manifest = top;
    if (top.isIndex()) {
      Entry entry =
          choice.choose(entries(top), Entry::platform).orElseThrow(IndexChoice::nothingFits);
      manifest = repository.manifest(entry.digest());
    }
    return image(top, manifest, repository);
  }

  private static RemoteImage image(Document top, Document manifest, Repository repository) {
    JsonNode descriptor = manifest.json().path("config");
    Document config = repository.blob(descriptor.path("digest").asText());
    long size = manifest.size() + config.size();
    for (JsonNode layer : manifest.json().path("layers")) {
      size += Math.max(0, layer.path("size").asLong());
    }
    JsonNode run = config.json().path("config");
    List<String> command = new ArrayList<>();
    run.path("Entrypoint").forEach(word -> command.add(word.asText()));
    run.path("Cmd").forEach(word -> command.add(word.asText()));
    return new RemoteImage(
        top.digest(),
        config.digest(),
        platform(config.json()),
        size,
        command,
        user(run.path("User").asText("")));
  }

  private static List<Entry> entries(Document index) {
    List<Entry> entries = new ArrayList<>();
    for (JsonNode node : index.json().path("manifests")) {
      entries.add(new Entry(node.path("digest").asText(), platform(node.path("platform"))));
    }
    return entries;
  }

  private static Platform platform(JsonNode node) {
    return new Platform(
        node.path("os").asText(""),
        node.path("architecture").asText(""),
        node.path("variant").asText(""),
        node.path("os.version").asText(""));
  }

  /// `1000` or `1000:1000`; a name would need the image's files, so it counts as root.
  private static Optional<Long> user(String text) {
    String user = text.split(":", 2)[0];
    return user.matches("[0-9]{1,10}") ? Optional.of(Long.valueOf(user)) : Optional.empty();
  }

  private record Entry(String digest, Platform platform) {}
}
