package dev.berth.registry.configuration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import dev.berth.registry.RegistrySettings;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.transport.RegistryEndpoint;
import dev.berth.registry.transport.RegistryEndpoint.EndpointRole;
import dev.berth.registry.transport.RegistryEndpoint.EndpointUse;
import dev.berth.registry.transport.TrustedAuthorities;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// The `hosts.toml` of one registry. A key without effect is a mistake, so that no setting is
/// silently ignored.
final class HostsFile {
  private static final String NAME = "hosts.toml";
  private static final Set<String> OF_MIRRORS =
      Set.of("capabilities", "ca", "override_path", "skip_verify");
  private static final Set<String> OF_THE_FILE =
      Set.of("server", "host", "ca", "override_path", "skip_verify");
  private static final String VERSION = "/v2";

  private final String host;
  private final Path directory;
  private final List<Path> authorities;
  private final ConfigurationNotes notes;

  /// @param host the registry, or `RegistrySettings.OTHER_HOSTS`
  /// @param authorities which all registries have in common
  HostsFile(String host, Path directory, List<Path> authorities, ConfigurationNotes notes) {
    this.host = host;
    this.directory = directory;
    this.authorities = authorities;
    this.notes = notes;
  }

  /// Mirrors in the order of the file, and the registry itself at the end.
  List<RegistryEndpoint> read() {
    try {
      String text = Files.readString(notes.used(directory.resolve(NAME)));
      return endpoints(new TomlMapper().readTree(text));
    } catch (JsonProcessingException e) {
      mistake(
          "line %d: %s"
              .formatted(
                  e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                  e.getOriginalMessage()));
    } catch (IOException e) {
      mistake("cannot be read: " + e);
    }
    return List.of();
  }

  private List<RegistryEndpoint> endpoints(JsonNode file) {
    List<RegistryEndpoint> endpoints = new ArrayList<>();
    if (file.has("host") && !file.path("host").isObject()) {
      mistake("`host` must be a table of mirrors, such as [host.\"https://mirror.example.com\"]");
    }
    for (Map.Entry<String, JsonNode> table : file.path("host").properties()) {
      String where = "host.\"%s\": ".formatted(table.getKey());
      check(where, table.getValue(), OF_MIRRORS);
      URI base = base(where, table.getKey(), table.getValue());
      if (base != null) {
        endpoints.add(
            new RegistryEndpoint(
                base,
                RegistryCredentials.NONE,
                isRegistry(base) ? EndpointRole.REGISTRY : EndpointRole.MIRROR,
                uses(where, table.getValue()),
                trust(where, table.getValue())));
      }
    }
    check("", file, OF_THE_FILE);
    server(file).ifPresent(endpoints::add);
    return endpoints;
  }

  /// A host of the file that is the registry itself gets the credentials of the registry.
  private boolean isRegistry(URI base) {
    return !isDefault() && base.equals(RegistryEndpoint.usual(host).base());
  }

  private boolean isDefault() {
    return host.equals(RegistrySettings.OTHER_HOSTS);
  }

  private Optional<RegistryEndpoint> server(JsonNode file) {
    SSLContext trust = trust("", file);
    URI base;
    if (file.has("server")) {
      base = base("server: ", file.path("server").asText(), file);
    } else if (isDefault()) {
      if (trust != null) {
        mistake("`ca` has no effect without `server`; name the authority with --registry-ca");
      }
      return Optional.empty();
    } else {
      URI usual = RegistryEndpoint.usual(host).base();
      // An authority is for TLS, which the loopback interface does not need otherwise.
      base = trust == null ? usual : URI.create("https://" + usual.getRawAuthority());
    }
    return base == null
        ? Optional.empty()
        : Optional.of(
            new RegistryEndpoint(
                base,
                RegistryCredentials.NONE,
                isDefault() ? EndpointRole.STAND_IN : EndpointRole.REGISTRY,
                EnumSet.allOf(EndpointUse.class),
                trust));
  }

  private void check(String where, JsonNode table, Set<String> keys) {
    if (!table.isObject()) {
      mistake(where + "must be a table");
    }
    for (Map.Entry<String, JsonNode> entry : table.properties()) {
      if (!keys.contains(entry.getKey())) {
        mistake(
            "%s`%s` is not supported; the keys are %s"
                .formatted(where, entry.getKey(), String.join(", ", new TreeSet<>(keys))));
      }
    }
    if (table.path("skip_verify").asBoolean()) {
      mistake(
          where
              + "`skip_verify` must not be true, because anybody could then answer as the registry;"
              + " name the authority of its certificate with `ca`");
    }
  }

  /// @param text as containerd takes it: the scheme may be missing, and so may `/v2`
  private @Nullable URI base(String where, String text, JsonNode table) {
    URI uri;
    try {
      uri = URI.create(text.startsWith("http") ? text : "https://" + text);
    } catch (IllegalArgumentException _) {
      uri = URI.create("");
    }
    String authority = uri.getRawAuthority();
    if (authority == null
        || authority.contains("@")
        || !RegistryEndpoint.isPrivate(uri)
        || uri.getRawQuery() != null) {
      mistake(
          "%s\"%s\" must be https://HOST[:PORT][/PATH], or http:// on the loopback interface"
              .formatted(where, text));
      return null;
    }
    String path = uri.getRawPath().replaceAll("/+$", "");
    if (!table.path("override_path").asBoolean() && !path.endsWith(VERSION)) {
      path += VERSION;
    }
    String name = authority.equals("docker.io") ? "registry-1.docker.io" : authority;
    return URI.create(uri.getScheme() + "://" + name + (path.equals(VERSION) ? "" : path));
  }

  /// Pushing is nobody's concern here.
  private Set<EndpointUse> uses(String where, JsonNode table) {
    Set<EndpointUse> uses = EnumSet.noneOf(EndpointUse.class);
    if (!table.has("capabilities")) {
      return EnumSet.allOf(EndpointUse.class);
    }
    for (String capability : texts(where, "capabilities", table)) {
      switch (capability) {
        case "pull" -> uses.add(EndpointUse.PULL);
        case "resolve" -> uses.add(EndpointUse.RESOLVE);
        case "push" -> {
          // Images are only read.
        }
        default ->
            mistake(
                "%scapability \"%s\" must be pull, resolve or push".formatted(where, capability));
      }
    }
    return uses;
  }

  /// Null when the table names no authority.
  private @Nullable SSLContext trust(String where, JsonNode table) {
    if (!table.has("ca")) {
      return null;
    }
    List<Path> files = new ArrayList<>(authorities);
    texts(where, "ca", table).forEach(text -> files.add(notes.used(directory.resolve(text))));
    try {
      return TrustedAuthorities.with(files);
    } catch (IOException | GeneralSecurityException e) {
      mistake("%s`ca` must name PEM files: %s".formatted(where, e));
      return null;
    }
  }

  /// One text, or a list of texts.
  private List<String> texts(String where, String key, JsonNode table) {
    JsonNode value = table.path(key);
    List<String> texts = new ArrayList<>();
    if (value.isTextual()) {
      texts.add(value.asText());
    } else {
      value.forEach(one -> texts.add(one.asText()));
    }
    boolean isWrong =
        !value.isTextual()
            && !(value.isArray() && value.valueStream().allMatch(JsonNode::isTextual));
    if (isWrong) {
      mistake("%s`%s` must be a list of texts".formatted(where, key));
      return List.of();
    }
    return texts;
  }

  private void mistake(String text) {
    notes.mistake("%s/%s: %s".formatted(directory.getFileName(), NAME, text));
  }
}
