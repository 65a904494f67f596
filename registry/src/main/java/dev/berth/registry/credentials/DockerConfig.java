package dev.berth.registry.credentials;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The credentials of a Docker configuration: `config.json` of a user, or the contents of a pull
/// secret (`.dockerconfigjson` with `auths`, or the older `.dockercfg` without).
///
/// Helper programs (`credsStore`, `credHelpers`) are not called.
public final class DockerConfig {
  private static final JsonMapper MAPPER = new JsonMapper();

  /// Whom credentials are for, and they.
  private record ServerEntry(
      String server, ServerPattern pattern, RegistryCredentials credentials) {}

  private final List<ServerEntry> entries;

  private DockerConfig(List<ServerEntry> entries) {
    // The kubelet's order: by name backwards, so that a longer path comes before its beginning.
    this.entries =
        entries.stream().sorted(Comparator.comparing(ServerEntry::server).reversed()).toList();
  }

  /// Empty when the text is no JSON object.
  public static Optional<DockerConfig> parse(String json) {
    try {
      JsonNode root = MAPPER.readTree(json);
      return root.isObject() ? Optional.of(read(root)) : Optional.empty();
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }

  private static DockerConfig read(JsonNode root) {
    List<ServerEntry> entries = new ArrayList<>();
    JsonNode auths = root.path("auths").isObject() ? root.path("auths") : root;
    auths
        .properties()
        .forEach(
            entry -> {
              RegistryCredentials credentials = credentials(entry.getValue());
              Optional<ServerPattern> pattern = ServerPattern.parse(entry.getKey());
              if (pattern.isPresent() && !credentials.isAnonymous()) {
                entries.add(
                    new ServerEntry(
                        entry.getKey().replaceFirst("^https?://", ""), pattern.get(), credentials));
              }
            });
    return new DockerConfig(entries);
  }

  private static RegistryCredentials credentials(JsonNode node) {
    String username = node.path("username").asText();
    String password = node.path("password").asText();
    String both = decoded(node.path("auth").asText());
    int colon = both.indexOf(':');
    if (colon > 0) {
      username = both.substring(0, colon);
      // Docker pads with zeros.
      password = both.substring(colon + 1).replaceFirst("\0+$", "");
    }
    return new RegistryCredentials(username, password, node.path("identitytoken").asText());
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64.strip()), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }

  /// Credentials that are for an image.
  ///
  /// @param server as the configuration calls it; may be a pattern
  public record ServerCredentials(String server, RegistryCredentials credentials) {
    /// The order in which credentials of several configurations are to be tried.
    public static final Comparator<ServerCredentials> MOST_SPECIAL_FIRST =
        Comparator.comparing(ServerCredentials::server).reversed();
  }

  /// All that are for an image, in the order in which they are to be tried.
  ///
  /// @param repository in full, such as `docker.io/library/nginx`
  public List<RegistryCredentials> lookup(String repository) {
    return find(repository).stream().map(ServerCredentials::credentials).distinct().toList();
  }

  /// The same with their servers.
  public List<ServerCredentials> find(String repository) {
    return entries.stream()
        .filter(entry -> entry.pattern().matches(repository))
        .map(entry -> new ServerCredentials(entry.server(), entry.credentials()))
        .toList();
  }
}
