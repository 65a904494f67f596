package dev.berth.sim.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.api.platforms.WindowsVersion;
import dev.berth.cri.CriEndpoint;
import dev.berth.cri.CriEndpoint.EndpointException;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.sim.InitialKnobs;
import dev.berth.sim.SimConfig;
import dev.berth.sim.images.CatalogImage;
import dev.berth.sim.images.ImageCatalog;
import dev.berth.sim.images.RegistryHost;
import dev.berth.sim.model.AddressPool;
import dev.berth.sim.profile.ContractCompatibility;
import dev.berth.sim.profile.SimHandler;
import dev.berth.sim.profile.SimProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads the configuration of simulated services: one service, or several under `services`, each of
/// them `replicas` times.
public final class ConfigReader {
  private static final String NUMBER = "{n}";

  private final ConfigErrors mistakes;
  private final RuleReader rules;

  public ConfigReader(ConfigErrors mistakes) {
    this.mistakes = mistakes;
    this.rules = new RuleReader(mistakes);
  }

  /// Reads all services. The result is valid only if there are no mistakes.
  public List<SimConfig> read(JsonNode root) {
    List<SimConfig> configs = new ArrayList<>();
    if (!root.has("services")) {
      expand(root, "", configs);
      return configs;
    }
    JsonNode services = root.get("services");
    for (int i = 0; i < services.size(); i++) {
      expand(services.get(i), "services[" + i + "]", configs);
    }
    if (configs.isEmpty()) {
      mistakes.add("services", "at least one is needed");
    }
    return configs;
  }

  /// Reads one service as often as its `replicas` say.
  private void expand(JsonNode node, String place, List<SimConfig> configs) {
    int replicas = node.path("replicas").asInt(1);
    for (int n = 0; n < Math.max(1, replicas); n++) {
      JsonNode one = numbered(node, Integer.toString(n));
      // A mistake in a template is reported once, not once per replica.
      service(one, place).ifPresent(configs::add);
      if (!mistakes.none()) {
        return;
      }
    }
  }

  /// Reads one service; empty if anything in the whole configuration is a mistake.
  private Optional<SimConfig> service(JsonNode node, String place) {
    ConfigFields fields = new ConfigFields(node, place, mistakes);
    // Checks the field, which `expand` has read already.
    fields.count("replicas", 1, 1);
    SimProfile profile = profile(fields, node, place);
    Optional<CriEndpoint> endpoint = endpoint(fields, "endpoint");
    if (!fields.has("endpoint")) {
      fields.mistake("endpoint", "is needed, such as unix:///run/berth/sim.sock");
    }
    SimConfig defaults = SimConfig.of("sim", new CriEndpoint.InProcess("none"), profile);
    SimConfig config =
        new SimConfig(
            fields.text("name", "sim"),
            endpoint.orElse(defaults.endpoint()),
            profile,
            catalog(fields, profile),
            ranges(fields),
            fields.text("mountpoint", defaults.mountpoint()),
            knobs(fields, node, place),
            admin(fields));
    fields.end();
    return mistakes.none() ? Optional.of(config) : Optional.empty();
  }

  /// Reads the profile. Single fields override the named profile.
  private SimProfile profile(ConfigFields fields, JsonNode node, String place) {
    SimProfile base =
        fields
            .parsed("profile", "one of " + String.join(", ", SimProfile.NAMES), SimProfile::named)
            .orElseGet(() -> SimProfile.named("linux/amd64").orElseThrow());
    ImagePlatform platform =
        fields
            .parsed(
                "osVersion",
                "a version of Windows such as " + SimProfile.DEFAULT_WINDOWS,
                text -> WindowsVersion.parse(text).map(_ -> text))
            .map(base.platform()::withOsVersion)
            .orElse(base.platform());
    if (fields.has("osVersion") && !platform.isWindows()) {
      fields.mistake("osVersion", "is for profile windows/amd64");
    }
    ContractCompatibility compatibility =
        fields
            .parsed(
                "compatibility",
                "one of " + List.of(ContractCompatibility.values()),
                ContractCompatibility::parse)
            .orElse(base.compatibility());
    List<SimHandler> handlers =
        fields.has("handlers")
            ? rules.handlers(node.path("handlers"), inside(place, "handlers"))
            : base.handlers();
    // An old contract goes with the runtime that had it, unless the file names another.
    boolean old = compatibility == ContractCompatibility.CONTAINERD_1_6;
    return new SimProfile(
        base.name(),
        platform,
        fields.text("runtimeName", old ? "containerd" : base.runtimeName()),
        fields.text("runtimeVersion", old ? "1.6.20" : base.runtimeVersion()),
        compatibility,
        base.virtualMachines(),
        handlers.isEmpty() ? base.handlers() : handlers,
        (int) fields.count("cpus", base.cpus(), 1));
  }

  private static ImageCatalog catalog(ConfigFields fields, SimProfile profile) {
    ImageRules reader = new ImageRules(profile.platform());
    List<CatalogImage> images =
        fields.objects("images").stream().flatMap(image -> reader.read(image).stream()).toList();
    List<RegistryHost> registries =
        fields.objects("registries").stream()
            .flatMap(registry -> ImageRules.registry(registry).stream())
            .toList();
    // Images or registries that are named make all others unknown, unless `anyImage` is set.
    boolean anything = images.isEmpty() && registries.isEmpty();
    return new ImageCatalog(images, fields.flag("anyImage", anything), registries);
  }

  /// Reads the pod ranges; each must be parsable, because a service cannot start without its pools.
  private static List<String> ranges(ConfigFields fields) {
    List<String> ranges = fields.texts("podCIDRs");
    for (String range : ranges) {
      if (AddressPool.parse(range).isEmpty()) {
        fields.mistake("podCIDRs", "\"" + range + "\" is not a range such as 10.88.0.0/16");
      }
    }
    return ranges.isEmpty() ? SimConfig.POD_RANGES : ranges;
  }

  private InitialKnobs knobs(ConfigFields fields, JsonNode node, String place) {
    // Marks the fields as known; the reader of rules reads them from the node.
    fields.has("faults");
    fields.has("exits");
    fields.has("pulls");
    return new InitialKnobs(
        rules.faults(node.path("faults"), inside(place, "faults")),
        rules.exits(node.path("exits"), inside(place, "exits")),
        rules.pulls(node.path("pulls"), inside(place, "pulls")),
        fields.flag("events", true));
  }

  private static Optional<Path> admin(ConfigFields fields) {
    return switch (endpoint(fields, "adminEndpoint").orElse(null)) {
      case null -> Optional.empty();
      case CriEndpoint.UnixSocket(var path) -> Optional.of(path);
      case CriEndpoint.Loopback _, CriEndpoint.NamedPipe _, CriEndpoint.InProcess _ -> {
        fields.mistake("adminEndpoint", "must be a unix socket, such as unix:///run/berth/a.sock");
        yield Optional.empty();
      }
    };
  }

  private static Optional<CriEndpoint> endpoint(ConfigFields fields, String key) {
    String text = fields.text(key, "");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(listening(text));
    } catch (EndpointException e) {
      fields.mistake(key, e.problem().toString());
      return Optional.empty();
    }
  }

  /// Port 0 means "any free port" for a listener only, so the endpoint parser that clients use
  /// refuses it.
  private static CriEndpoint listening(String text) {
    boolean anyPort = text.startsWith("tcp:") && text.endsWith(":0");
    CriEndpoint parsed =
        CriEndpoint.parse(anyPort ? text.substring(0, text.length() - 1) + "1" : text);
    return anyPort && parsed instanceof CriEndpoint.Loopback(var host, _)
        ? new CriEndpoint.Loopback(host, 0)
        : parsed;
  }

  private static String inside(String place, String key) {
    return place.isEmpty() ? key : place + "." + key;
  }

  /// Copies a node and replaces `{n}` by the number of the replica.
  private static JsonNode numbered(JsonNode node, String number) {
    if (node.isTextual()) {
      return TextNode.valueOf(node.asText().replace(NUMBER, number));
    }
    if (node.isArray()) {
      var copy = new ObjectMapper().createArrayNode();
      node.forEach(item -> copy.add(numbered(item, number)));
      return copy;
    }
    if (node.isObject()) {
      ObjectNode copy = new ObjectMapper().createObjectNode();
      node.properties()
          .forEach(entry -> copy.set(entry.getKey(), numbered(entry.getValue(), number)));
      return copy;
    }
    return node;
  }
}
