package dev.berth.agent.runtimes.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.runtimes.registration.DeclaredService.Image;
import dev.berth.api.Problem;
import dev.berth.registry.platforms.ImagePlatform;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the keys of one runtime service; an unknown key is an error.
final class YamlService {
  static final String NAME = "name";
  static final String WORKLOAD_TYPE = "workloadType";
  static final String ENDPOINT = "endpoint";
  static final String IMAGE_ENDPOINT = "imageEndpoint";
  static final String HANDLERS = "handlers";
  static final String PLATFORMS = "platforms";
  private static final List<String> KEYS =
      List.of(NAME, WORKLOAD_TYPE, ENDPOINT, IMAGE_ENDPOINT, HANDLERS, PLATFORMS);

  private static final String FEATURES = "features";
  private static final String ISOLATION = "isolation";
  private static final String PLATFORM = "platform";
  private static final String READ_ONLY_MOUNTS = "recursiveReadOnlyMounts";
  private static final String USER_NAMESPACES = "userNamespaces";

  private final String where;
  private final Consumer<Problem> problems;

  private YamlService(String where, Consumer<Problem> problems) {
    this.where = where;
    this.problems = problems;
  }

  static Optional<DeclaredService> read(String where, JsonNode node, Consumer<Problem> problems) {
    return new YamlService(where, problems).read(node);
  }

  private Optional<DeclaredService> read(JsonNode node) {
    if (!node.isObject()) {
      refuse(
          "it is not a runtime service", "Write the keys " + String.join(", ", KEYS) + ", no list");
      return Optional.empty();
    }
    refuseUnknown(node, "", KEYS);
    String image = text(node, IMAGE_ENDPOINT);
    return Optional.of(
        new DeclaredService(
            where,
            text(node, WORKLOAD_TYPE),
            text(node, NAME),
            text(node, ENDPOINT),
            node.has(IMAGE_ENDPOINT) ? new Image(where + ", " + IMAGE_ENDPOINT, image) : null,
            withPlatforms(handlers(node.path(HANDLERS)), node.path(PLATFORMS)),
            false));
  }

  /// The text of a key; empty when absent. [DeclarationRules] checks required keys.
  private String text(JsonNode node, String key) {
    JsonNode value = node.path(key);
    if (value.isContainerNode()) {
      refuse("`%s` is not a text".formatted(key), "Write one value after `%s:`".formatted(key));
      return "";
    }
    return value.isMissingNode() || value.isNull() ? "" : value.asText().strip();
  }

  private List<ServiceHandler> handlers(JsonNode list) {
    List<ServiceHandler> handlers = new ArrayList<>();
    if (list.isMissingNode() || list.isNull()) {
      return handlers;
    }
    if (!list.isArray()) {
      refuse("`handlers` is not a list", "Write handlers: [runc, crun]");
      return handlers;
    }
    list.forEach(entry -> handlers.add(handler(entry)));
    return handlers;
  }

  /// Reads a handler: a name, or an object with features.
  private ServiceHandler handler(JsonNode entry) {
    if (!entry.isObject()) {
      if (entry.isContainerNode() || entry.asText().isBlank()) {
        refuse("a handler has no name", "Write handlers: [runc, crun]");
      }
      return ServiceHandler.named(entry.asText().strip());
    }
    refuseUnknown(entry, "handlers: ", List.of(NAME, FEATURES, ISOLATION, PLATFORM));
    JsonNode features = entry.path(FEATURES);
    if (features.isObject()) {
      refuseUnknown(features, "features: ", List.of(READ_ONLY_MOUNTS, USER_NAMESPACES));
    }
    return new ServiceHandler(
        text(entry, NAME),
        flag(features, READ_ONLY_MOUNTS),
        flag(features, USER_NAMESPACES),
        isolation(text(entry, ISOLATION)),
        platform(text(entry, PLATFORM)));
  }

  /// Reads the short form `platforms: {arm: linux/arm64}`, which only defines platforms of
  /// handlers.
  private List<ServiceHandler> withPlatforms(List<ServiceHandler> handlers, JsonNode platforms) {
    if (platforms.isMissingNode() || platforms.isNull()) {
      return handlers;
    }
    if (!platforms.isObject()) {
      refuse(
          "`platforms` is not a map of handlers to platforms",
          "Write platforms: {arm: linux/arm64}");
      return handlers;
    }
    Map<String, ServiceHandler> byName = new LinkedHashMap<>();
    handlers.forEach(handler -> byName.put(handler.name(), handler));
    platforms
        .properties()
        .forEach(
            entry ->
                byName.merge(
                    entry.getKey(),
                    ServiceHandler.named(entry.getKey()).with(platform(entry.getValue().asText())),
                    ServiceHandler::refinedBy));
    return List.copyOf(byName.values());
  }

  private @Nullable ImagePlatform platform(String text) {
    if (text.isEmpty()) {
      return null;
    }
    Optional<ImagePlatform> platform = ImagePlatform.parseWithVersion(text);
    if (platform.isEmpty()) {
      refuse(
          "the platform \"%s\" of a handler is not valid".formatted(text),
          "Write os/architecture[/variant], on Windows with a version: linux/arm64, linux/arm/v7,"
              + " windows/amd64 10.0.17763");
    }
    return platform.orElse(null);
  }

  private HandlerIsolation isolation(String word) {
    if (word.isEmpty()) {
      return HandlerIsolation.UNKNOWN;
    }
    return HandlerIsolation.of(word)
        .orElseGet(
            () -> {
              refuse("`isolation` is \"%s\"".formatted(word), "Write process or hyperv");
              return HandlerIsolation.UNKNOWN;
            });
  }

  private boolean flag(JsonNode features, String key) {
    JsonNode value = features.path(key);
    if (!value.isMissingNode() && !value.isBoolean()) {
      refuse("`%s` is \"%s\"".formatted(key, value.asText()), "Write true or false");
    }
    return value.asBoolean();
  }

  private void refuseUnknown(JsonNode node, String prefix, List<String> known) {
    var unknown = new TreeSet<String>();
    node.fieldNames().forEachRemaining(unknown::add);
    known.forEach(unknown::remove);
    for (String key : unknown) {
      refuse(
          "%skey `%s` is not known (known: %s)".formatted(prefix, key, String.join(", ", known)),
          "Correct or remove it");
    }
  }

  private void refuse(String why, String remedy) {
    problems.accept(new Problem(where + " cannot be used", why, remedy));
  }

  static void write(ServiceHandler handler, ObjectNode node) {
    node.put(NAME, handler.name());
    if (handler.recursiveReadOnlyMounts() || handler.userNamespaces()) {
      node.putObject(FEATURES)
          .put(READ_ONLY_MOUNTS, handler.recursiveReadOnlyMounts())
          .put(USER_NAMESPACES, handler.userNamespaces());
    }
    if (handler.isolation() != HandlerIsolation.UNKNOWN) {
      node.put(ISOLATION, handler.isolation().word());
    }
    if (handler.platform() != null) {
      node.put(PLATFORM, handler.platform().toString());
    }
  }
}
