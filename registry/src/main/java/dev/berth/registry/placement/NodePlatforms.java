package dev.berth.registry.placement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.api.Taint;
import dev.berth.api.platforms.WindowsRule;
import dev.berth.api.pods.PodPlatform;
import dev.berth.api.pods.WorkloadType;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.TargetPlatform;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The handlers of a node and the platforms that they run, as the Node object reports them
/// (docs/runtime-services-contract.md).
///
/// @param taints those that keep pods away
/// @param handlers the targets of each handler, with "" for pods without a class; a handler of
///   several services has several, and none when the platform is unknown
public record NodePlatforms(
    String node,
    Map<String, String> labels,
    List<Taint> taints,
    Map<String, List<TargetPlatform>> handlers) {
  public static final String SERVICES_ANNOTATION = "berth.dev/runtime-services";

  /// The handler of pods without a class.
  public static final String DEFAULT_HANDLER = "";

  private static final JsonMapper MAPPER = new JsonMapper();

  public NodePlatforms {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
    handlers = Map.copyOf(handlers);
  }

  /// Reads a Node object. A handler without a platform runs that of the node.
  public static NodePlatforms parse(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    Map<String, String> labels = new HashMap<>();
    metadata
        .path("labels")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    ImagePlatform host = host(labels, node.path("status").path("nodeInfo"));
    Map<String, List<TargetPlatform>> handlers = new TreeMap<>();
    JsonNode services = services(metadata.path("annotations").path(SERVICES_ANNOTATION).asText(""));
    Set<String> linked = new HashSet<>(Set.of(DEFAULT_HANDLER));
    for (JsonNode service : services) {
      service.path("handlers").forEach(name -> linked.add(name.asText()));
      if (isForContainers(service)) {
        addService(service, host, handlers);
      }
    }
    // Nodes of other agents report handlers without services.
    for (JsonNode handler : node.path("status").path("runtimeHandlers")) {
      if (!linked.contains(handler.path("name").asText(""))) {
        add(handlers, handler.path("name").asText(""), host, WindowsRule.PROCESS_ISOLATION);
      }
    }
    if (services.isEmpty()) {
      add(handlers, DEFAULT_HANDLER, host, WindowsRule.PROCESS_ISOLATION);
    }
    List<Taint> taints = new ArrayList<>();
    node.path("spec").path("taints").forEach(taint -> taints.add(Taint.parse(taint)));
    taints.removeIf(taint -> !taint.isHard());
    return new NodePlatforms(metadata.path("name").asText(""), labels, taints, handlers);
  }

  private static boolean isForContainers(JsonNode service) {
    return WorkloadType.ofReport(service.path("workloadType").asText(""))
        .filter(type -> type == WorkloadType.CONTAINER)
        .isPresent();
  }

  private static void addService(
      JsonNode service, @Nullable ImagePlatform host, Map<String, List<TargetPlatform>> handlers) {
    List<String> names = new ArrayList<>();
    service.path("handlers").forEach(name -> names.add(name.asText()));
    names.remove(DEFAULT_HANDLER);
    if (service.path("default").asBoolean()) {
      names.add(DEFAULT_HANDLER);
    }
    for (String name : names) {
      boolean virtual = service.path("isolation").path(name).asText("").equals("hyperv");
      Optional<ImagePlatform> own =
          ImagePlatform.parseWithVersion(service.path("platforms").path(name).asText(""));
      add(
          handlers,
          name,
          own.map(platform -> complete(platform, host)).orElse(host),
          virtual ? WindowsRule.HYPER_V : WindowsRule.PROCESS_ISOLATION);
    }
  }

  /// A platform of Windows without a version has that of the host.
  private static ImagePlatform complete(ImagePlatform platform, @Nullable ImagePlatform host) {
    if (host == null || !host.isWindows()) {
      return platform;
    }
    boolean needsVersion = platform.isWindows() && platform.osVersion().isEmpty();
    return needsVersion ? platform.withOsVersion(host.osVersion()) : platform;
  }

  private static void add(
      Map<String, List<TargetPlatform>> handlers,
      String name,
      @Nullable ImagePlatform platform,
      WindowsRule rule) {
    List<TargetPlatform> targets = handlers.computeIfAbsent(name, _ -> new ArrayList<>());
    if (platform != null) {
      targets.add(new TargetPlatform(platform, rule));
    }
  }

  private static @Nullable ImagePlatform host(Map<String, String> labels, JsonNode info) {
    String os = labels.getOrDefault(PodPlatform.OS_LABEL, info.path("operatingSystem").asText(""));
    String architecture =
        labels.getOrDefault(PodPlatform.ARCHITECTURE_LABEL, info.path("architecture").asText(""));
    if (os.isEmpty() || architecture.isEmpty()) {
      return null;
    }
    ImagePlatform host = new ImagePlatform(os, architecture, "", "");
    return host.isWindows()
        ? host.withOsVersion(
            labels.getOrDefault(PodPlatform.BUILD_LABEL, info.path("kernelVersion").asText("")))
        : host;
  }

  /// Text that is no JSON object names no service.
  private static JsonNode services(String text) {
    try {
      JsonNode tree = text.isEmpty() ? null : MAPPER.readTree(text);
      return tree != null && tree.isObject() ? tree : MAPPER.createObjectNode();
    } catch (JsonProcessingException _) {
      return MAPPER.createObjectNode();
    }
  }

  public boolean offers(String handler) {
    return handlers.containsKey(handler);
  }

  /// Empty when the node does not offer the handler, or when nobody knows its platform.
  public List<TargetPlatform> targets(String handler) {
    return handlers.getOrDefault(handler, List.of());
  }
}
