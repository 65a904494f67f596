package dev.berth.server.admission.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.registry.ImageReference;
import dev.berth.registry.credentials.DockerConfig;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.server.auth.ObjectReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The images that a pod pulls, with the credentials of its pull secrets.
record PodImages(ObjectReader objects) {
  private static final List<String> CONTAINERS = List.of("initContainers", "containers");

  /// Without images that are never pulled, and without names that no registry has.
  List<ImageQuery> of(String namespace, JsonNode spec) {
    Set<String> names = names(spec);
    List<DockerConfig> configs = configs(namespace, spec);
    List<ImageQuery> queries = new ArrayList<>();
    for (String name : names) {
      ImageReference.parse(name)
          .ifPresent(image -> queries.add(new ImageQuery(image, credentials(configs, image))));
    }
    return queries;
  }

  /// Whether a write changes what a pod pulls.
  static boolean differ(@Nullable ObjectNode old, ObjectNode pod) {
    return old != null && !names(old.path("spec")).equals(names(pod.path("spec")));
  }

  private static Set<String> names(JsonNode spec) {
    Set<String> names = new LinkedHashSet<>();
    for (String list : CONTAINERS) {
      for (JsonNode container : spec.path(list)) {
        if (!container.path("imagePullPolicy").asText().equals("Never")) {
          names.add(container.path("image").asText(""));
        }
      }
    }
    return names;
  }

  private static List<RegistryCredentials> credentials(
      List<DockerConfig> configs, ImageReference image) {
    return configs.stream()
        .flatMap(config -> config.lookup(image.repository()).stream())
        .distinct()
        .toList();
  }

  private List<DockerConfig> configs(String namespace, JsonNode spec) {
    List<DockerConfig> configs = new ArrayList<>();
    for (JsonNode reference : spec.path("imagePullSecrets")) {
      ObjectNode secret = objects.read("secrets", namespace, reference.path("name").asText(""));
      if (secret != null) {
        config(secret.path("data")).ifPresent(configs::add);
      }
    }
    return configs;
  }

  private static Optional<DockerConfig> config(JsonNode data) {
    String text = data.path(".dockerconfigjson").asText(data.path(".dockercfg").asText(""));
    try {
      return DockerConfig.parse(
          new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException _) {
      // The kubelet ignores a secret that it cannot read, too.
      return Optional.empty();
    }
  }
}
