package dev.berth.registry.placement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.api.platforms.WindowsRule;
import dev.berth.api.pods.PodPlatform;
import dev.berth.api.pods.PodRuntime;
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

/// What the handlers of a node run, as the Node object reports it
/// (docs/runtime-services-contract.md); equal for nodes that run the same.
///
/// @param host null when the node does not report its platform
/// @param targets of each handler, with "" for pods without a class; a handler of several services
///   has several, and none when the platform is unknown
/// @param services the same for each runtime service of containers by its name, and for the default
///   services together by the reserved name
public record HandlerPlatforms(
    @Nullable ImagePlatform host,
    Map<String, List<TargetPlatform>> targets,
    Map<String, Map<String, List<TargetPlatform>>> services) {
  private static final String DEFAULT_HANDLER = NodePlatforms.DEFAULT_HANDLER;
  private static final JsonMapper MAPPER = new JsonMapper();

  public HandlerPlatforms {
    targets = copy(targets);
    Map<String, Map<String, List<TargetPlatform>>> copies = new HashMap<>();
    services.forEach((service, handlers) -> copies.put(service, copy(handlers)));
    services = Map.copyOf(copies);
  }

  private static Map<String, List<TargetPlatform>> copy(
      Map<String, List<TargetPlatform>> handlers) {
    Map<String, List<TargetPlatform>> copies = new HashMap<>();
    handlers.forEach((handler, list) -> copies.put(handler, List.copyOf(list)));
    return Map.copyOf(copies);
  }

  /// Reads a Node object. A handler without a platform runs that of the node.
  public static HandlerPlatforms parse(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    ImagePlatform host = host(metadata.path("labels"), node.path("status").path("nodeInfo"));
    Map<String, List<TargetPlatform>> handlers = new TreeMap<>();
    Map<String, Map<String, List<TargetPlatform>>> byService = new TreeMap<>();
    JsonNode services =
        services(metadata.path("annotations").path(NodePlatforms.SERVICES_ANNOTATION).asText(""));
    Set<String> linked = new HashSet<>(Set.of(DEFAULT_HANDLER));
    for (Map.Entry<String, JsonNode> entry : services.properties()) {
      JsonNode service = entry.getValue();
      service.path("handlers").forEach(name -> linked.add(name.asText()));
      if (isForContainers(service)) {
        boolean isDefault = service.path("default").asBoolean();
        addService(service, isDefault, host, handlers);
        addService(service, true, host, own(byService, entry.getKey()));
        if (isDefault) {
          addService(service, true, host, own(byService, PodRuntime.DEFAULT_SERVICE));
        }
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
    return new HandlerPlatforms(host, handlers, byService);
  }

  private static Map<String, List<TargetPlatform>> own(
      Map<String, Map<String, List<TargetPlatform>>> byService, String name) {
    return byService.computeIfAbsent(name, _ -> new TreeMap<>());
  }

  /// Whether the node has a runtime service for pods that name it. A node that reports none has a
  /// default one.
  boolean hasService(String name) {
    return services.containsKey(name) || isUnreportedDefault(name);
  }

  private boolean isUnreportedDefault(String name) {
    return services.isEmpty() && name.equals(PodRuntime.DEFAULT_SERVICE);
  }

  /// What pods get that name a runtime service; all of the node for no name.
  public HandlerPlatforms ofService(String name) {
    return name.isEmpty() || isUnreportedDefault(name)
        ? this
        : new HandlerPlatforms(null, services.getOrDefault(name, Map.of()), Map.of());
  }

  /// What a pod of a handler may have. A node that does not report the handler is judged by its own
  /// platform; on Windows the handler may use Hyper-V.
  public List<TargetPlatform> ofPod(String handler) {
    List<TargetPlatform> reported = targets.get(handler);
    if (reported != null) {
      return reported;
    }
    if (host == null) {
      return List.of();
    }
    return List.of(
        new TargetPlatform(
            host, handler.isEmpty() ? WindowsRule.PROCESS_ISOLATION : WindowsRule.HYPER_V));
  }

  private static boolean isForContainers(JsonNode service) {
    return WorkloadType.ofReport(service.path("workloadType").asText(""))
        .filter(type -> type == WorkloadType.CONTAINER)
        .isPresent();
  }

  /// @param isDefault whether pods without a class get the service
  private static void addService(
      JsonNode service,
      boolean isDefault,
      @Nullable ImagePlatform host,
      Map<String, List<TargetPlatform>> handlers) {
    List<String> names = new ArrayList<>();
    service.path("handlers").forEach(name -> names.add(name.asText()));
    names.remove(DEFAULT_HANDLER);
    if (isDefault) {
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

  private static @Nullable ImagePlatform host(JsonNode labels, JsonNode info) {
    String os = label(labels, PodPlatform.OS_LABEL, info, "operatingSystem");
    String architecture = label(labels, PodPlatform.ARCHITECTURE_LABEL, info, "architecture");
    if (os.isEmpty() || architecture.isEmpty()) {
      return null;
    }
    ImagePlatform host = new ImagePlatform(os, architecture, "", "");
    return host.isWindows()
        ? host.withOsVersion(label(labels, PodPlatform.BUILD_LABEL, info, "kernelVersion"))
        : host;
  }

  private static String label(JsonNode labels, String label, JsonNode info, String field) {
    return labels.has(label) ? labels.path(label).asText("") : info.path(field).asText("");
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
}
