package dev.berth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Asks a server which kinds it offers: with two requests where it supports aggregated discovery,
/// otherwise with one more for each group version.
///
/// The answer is a snapshot; a caller that must see new kinds asks again. A group whose server is
/// down is reported as unavailable, because its kinds are unknown and not gone.
public final class DiscoveryClient {
  private static final String ACCEPT =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
          + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
          + "application/json";

  private final ApiClient client;

  DiscoveryClient(ApiClient client) {
    this.client = client;
  }

  public ResourceCatalog discover() {
    List<ServedResource> resources = new ArrayList<>();
    Set<String> unavailable = new HashSet<>();
    for (String root : List.of("/api", "/apis")) {
      JsonNode answer = client.getJson(root, ACCEPT);
      switch (answer.path("kind").asText()) {
        case "APIGroupDiscoveryList" -> readAggregated(answer, resources, unavailable);
        case "APIVersions" -> {
          for (JsonNode version : answer.path("versions")) {
            askVersion("", version.asText(), resources, unavailable);
          }
        }
        default -> askGroups(answer, resources, unavailable);
      }
    }
    return new ResourceCatalog(resources, unavailable);
  }

  private static void readAggregated(
      JsonNode answer, List<ServedResource> resources, Set<String> unavailable) {
    for (JsonNode group : answer.path("items")) {
      String name = group.path("metadata").path("name").asText();
      for (JsonNode version : group.path("versions")) {
        if (version.path("freshness").asText().equals("Stale")) {
          unavailable.add(name);
        }
        for (JsonNode resource : version.path("resources")) {
          resources.add(
              served(
                  name,
                  version.path("version").asText(),
                  resource.path("resource").asText(),
                  resource.path("responseKind").path("kind").asText(),
                  resource.path("scope").asText().equals("Namespaced"),
                  resource.path("verbs")));
        }
      }
    }
  }

  private void askGroups(JsonNode answer, List<ServedResource> resources, Set<String> unavailable) {
    for (JsonNode group : answer.path("groups")) {
      String name = group.path("name").asText();
      String preferred = group.path("preferredVersion").path("version").asText();
      askVersion(name, preferred, resources, unavailable);
      for (JsonNode version : group.path("versions")) {
        String other = version.path("version").asText();
        if (!other.equals(preferred)) {
          askVersion(name, other, resources, unavailable);
        }
      }
    }
  }

  /// Subresources are rows of their own in this form and are left out.
  private void askVersion(
      String group, String version, List<ServedResource> resources, Set<String> unavailable) {
    String path = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
    try {
      for (JsonNode resource : client.getJson(path, "application/json").path("resources")) {
        String name = resource.path("name").asText();
        if (!name.contains("/")) {
          resources.add(
              served(
                  group,
                  version,
                  name,
                  resource.path("kind").asText(),
                  resource.path("namespaced").asBoolean(),
                  resource.path("verbs")));
        }
      }
    } catch (ApiException _) {
      // The aggregated server of this group is down; the other groups remain usable.
      unavailable.add(group);
    }
  }

  private static ServedResource served(
      String group,
      String version,
      String plural,
      String kind,
      boolean namespaced,
      JsonNode verbs) {
    Set<String> names = new HashSet<>();
    verbs.forEach(verb -> names.add(verb.asText()));
    return new ServedResource(new ResourceType(group, version, plural, kind, namespaced), names);
  }
}
