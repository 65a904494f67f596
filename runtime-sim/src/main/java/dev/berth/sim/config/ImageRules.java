package dev.berth.sim.config;

import dev.berth.api.platforms.WindowsVersion;
import dev.berth.registry.ImageReference;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.transport.RegistryEndpoint;
import dev.berth.sim.images.CatalogImage;
import dev.berth.sim.images.CatalogImage.Variant;
import dev.berth.sim.images.RegistryHost;
import dev.berth.sim.time.DurationText;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/// Reads the images and registries of a catalog.
final class ImageRules {
  /// Size in bytes of an image that does not name one.
  private static final long SIZE = 10L * 1024 * 1024;

  private final ImagePlatform host;

  /// @param host the platform of images that do not name one
  ImageRules(ImagePlatform host) {
    this.host = host;
  }

  /// Reads an image; empty when its reference cannot be read, which is reported as a mistake.
  Optional<CatalogImage> read(ConfigFields fields) {
    Optional<ImageReference> reference =
        fields.parsed("reference", "an image reference", ImageReference::parse);
    if (!fields.has("reference")) {
      fields.mistake("reference", "is needed");
    }
    List<ConfigFields> platforms = fields.objects("platforms");
    // An image without `platforms` has one entry, for the host.
    List<Variant> variants =
        platforms.isEmpty()
            ? List.of(variant(fields, host))
            : platforms.stream().map(this::platform).toList();
    Optional<Long> user =
        fields.has("user") ? Optional.of(fields.count("user", 0, 0)) : Optional.empty();
    CatalogImage image =
        new CatalogImage(
            reference.orElse(new ImageReference("invalid", "latest", "")),
            fields.flag("index", true),
            variants,
            fields.texts("command"),
            user,
            fields.parsed("pullTime", DurationText.SYNTAX, DurationText::parse),
            fields.text("credentials", ""),
            fields.flag("present", false));
    fields.end();
    return reference.map(_ -> image);
  }

  /// Reads a registry; empty when its host cannot be read, which is reported as a mistake.
  static Optional<RegistryHost> registry(ConfigFields fields) {
    Optional<String> host =
        fields.parsed(
            "host",
            "a host as image references name it, such as docker.io or registry.example.com:5000",
            text -> RegistryEndpoint.isHost(text) ? Optional.of(text) : Optional.empty());
    if (!fields.has("host")) {
      fields.mistake("host", "is needed");
    }
    Optional<URI> endpoint =
        fields.parsed(
            "endpoint",
            "https://HOST[:PORT], or http:// on this machine",
            RegistryEndpoint::parseBase);
    RegistryCredentials credentials = RegistryCredentials.parse(fields.text("credentials", ""));
    fields.end();
    return host.map(
        name ->
            new RegistryHost(
                name,
                new RegistryEndpoint(
                    endpoint.orElseGet(() -> RegistryEndpoint.usual(name).base()),
                    credentials,
                    false)));
  }

  private Variant platform(ConfigFields fields) {
    ImagePlatform platform =
        fields
            .parsed("platform", "os/architecture[/variant]", ImagePlatform::parse)
            .orElse(host.withOsVersion(""));
    String version = fields.text("osVersion", "");
    if (!version.isEmpty() && WindowsVersion.parse(version).isEmpty()) {
      fields.mistake("osVersion", version + " is not a version such as 10.0.20348.2340");
    }
    Variant variant = variant(fields, platform.withOsVersion(version));
    fields.end();
    return variant;
  }

  private static Variant variant(ConfigFields fields, ImagePlatform platform) {
    return new Variant(platform, fields.bytes("size", SIZE), (int) fields.count("layers", 1, 1));
  }
}
