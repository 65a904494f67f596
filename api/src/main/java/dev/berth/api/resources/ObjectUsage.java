package dev.berth.api.resources;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Quantity;
import dev.berth.api.ResourceAmounts;
import dev.berth.api.pods.PodPhase;
import dev.berth.api.pods.PodResources;
import dev.berth.api.pods.PodView;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Computes the usage of an object in the quotas of its namespace.
///
/// Kinds are named by plural and group: `pods`, `deployments.apps`.
public final class ObjectUsage {
  public static final String PODS = "pods";
  private static final String SERVICES = "services";
  private static final String CLAIMS = "persistentvolumeclaims";
  private static final String REQUESTS = "requests.";
  private static final String HUGE_PAGES = "hugepages-";
  private static final String STORAGE_CLASS = ".storageclass.storage.k8s.io/";
  private static final Quantity ONE = Quantity.ofMilli(1_000);

  /// Resources that quotas count as requests and as limits; others count as requests only.
  private static final Set<String> COMPUTE = Set.of("cpu", "memory", "ephemeral-storage");

  /// Kinds whose count also has a short name, which is older than `count/`.
  private static final Set<String> SHORT_NAMES =
      Set.of(
          PODS,
          SERVICES,
          CLAIMS,
          "configmaps",
          "secrets",
          "replicationcontrollers",
          "resourcequotas");

  /// Kinds that no quota counts, because the system itself creates and deletes them.
  private static final Set<String> UNCOUNTED = Set.of("events", "events.events.k8s.io", "bindings");

  private ObjectUsage() {}

  public static boolean isCounted(String resource) {
    return !UNCOUNTED.contains(resource);
  }

  public static ResourceAmounts of(String resource, JsonNode object) {
    Map<String, Quantity> usage = new TreeMap<>();
    usage.put("count/" + resource, ONE);
    switch (resource) {
      case PODS -> {
        if (!isFinished(object)) {
          usage.put(PODS, ONE);
          usage.putAll(compute(object.path("spec")));
        }
      }
      case SERVICES -> {
        usage.put(SERVICES, ONE);
        service(object.path("spec"), usage);
      }
      case CLAIMS -> {
        usage.put(CLAIMS, ONE);
        claim(object, usage);
      }
      default -> {
        if (SHORT_NAMES.contains(resource)) {
          usage.put(resource, ONE);
        }
      }
    }
    return ResourceAmounts.of(usage);
  }

  /// Whether a pod has ended. It then counts as an object and uses no resources.
  private static boolean isFinished(JsonNode pod) {
    return PodPhase.isFinished(pod.path("status").path("phase").asText());
  }

  private static Map<String, Quantity> compute(JsonNode spec) {
    PodView pod = PodView.of(spec);
    return compute(PodResources.requestsWithOverhead(pod), PodResources.limitsWithOverhead(pod));
  }

  /// The names that quotas give to requests and limits.
  static Map<String, Quantity> compute(ResourceAmounts requests, ResourceAmounts limits) {
    Map<String, Quantity> usage = new TreeMap<>();
    requests
        .asMap()
        .forEach(
            (name, amount) -> {
              if (COMPUTE.contains(name) || name.startsWith(HUGE_PAGES)) {
                usage.put(name, amount);
                usage.put(REQUESTS + name, amount);
              } else if (isExtended(name)) {
                usage.put(REQUESTS + name, amount);
              }
            });
    limits
        .asMap()
        .forEach(
            (name, amount) -> {
              if (COMPUTE.contains(name)) {
                usage.put("limits." + name, amount);
              }
            });
    return usage;
  }

  /// Whether a resource is one that a device plugin or an administrator adds to nodes. Its domain
  /// is not Kubernetes' own.
  private static boolean isExtended(String name) {
    return name.indexOf('/') > 0 && !name.contains("kubernetes.io/");
  }

  private static void service(JsonNode spec, Map<String, Quantity> usage) {
    String type = spec.path("type").asText();
    boolean balanced = type.equals("LoadBalancer");
    JsonNode ports = spec.path("ports");
    long nodePorts = 0;
    if (balanced
        && spec.path("allocateLoadBalancerNodePorts").isBoolean()
        && !spec.path("allocateLoadBalancerNodePorts").booleanValue()) {
      nodePorts = ports.valueStream().filter(port -> port.path("nodePort").asInt() != 0).count();
    } else if (balanced || type.equals("NodePort")) {
      nodePorts = ports.size();
    }
    usage.put("services.nodeports", Quantity.ofMilli(nodePorts * 1_000));
    usage.put("services.loadbalancers", balanced ? ONE : Quantity.ofMilli(0));
  }

  private static void claim(JsonNode claim, Map<String, Quantity> usage) {
    JsonNode spec = claim.path("spec");
    String storageClass = spec.path("storageClassName").asText();
    Quantity storage =
        ResourceAmounts.of(spec.path("resources").path("requests")).orZero("storage");
    usage.put(REQUESTS + "storage", storage);
    if (!storageClass.isEmpty()) {
      usage.put(storageClass + STORAGE_CLASS + CLAIMS, ONE);
      usage.put(storageClass + STORAGE_CLASS + REQUESTS + "storage", storage);
    }
  }

  /// Whether a resource name of a quota applies to this kind.
  public static boolean isAbout(String name, String resource) {
    if (name.equals("count/" + resource) || (name.equals(resource) && SHORT_NAMES.contains(name))) {
      return true;
    }
    return switch (resource) {
      case PODS -> isCompute(name);
      case SERVICES -> name.equals("services.nodeports") || name.equals("services.loadbalancers");
      case CLAIMS -> name.equals(REQUESTS + "storage") || name.contains(STORAGE_CLASS);
      default -> false;
    };
  }

  private static boolean isCompute(String name) {
    if (name.contains(STORAGE_CLASS)) {
      return false;
    }
    String plain =
        name.startsWith(REQUESTS)
            ? name.substring(REQUESTS.length())
            : name.startsWith("limits.") ? name.substring("limits.".length()) : name;
    return COMPUTE.contains(plain)
        || (plain.startsWith(HUGE_PAGES) && !name.startsWith("limits."))
        || (name.startsWith(REQUESTS) && isExtended(plain));
  }
}
