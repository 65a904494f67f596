package dev.berth.server.validation.resources;

import dev.berth.server.validation.fields.NameRules;
import java.util.Set;

/// The names of resources and their properties.
final class ResourceNames {
  private static final String HUGE_PAGES = "hugepages-";
  private static final Set<String> OF_CONTAINERS = Set.of("cpu", "memory", "ephemeral-storage");
  private static final Set<String> COUNTED =
      Set.of(
          "pods",
          "resourcequotas",
          "services",
          "replicationcontrollers",
          "secrets",
          "configmaps",
          "persistentvolumeclaims",
          "services.nodeports",
          "services.loadbalancers");
  private static final Set<String> OTHER_STANDARD =
      Set.of(
          "requests.cpu",
          "requests.memory",
          "requests.ephemeral-storage",
          "requests.storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage",
          "storage");

  private ResourceNames() {}

  /// Returns whether a name without a prefix means something somewhere.
  static boolean isStandard(String name) {
    return isStandardForContainers(name)
        || COUNTED.contains(name)
        || OTHER_STANDARD.contains(name)
        || name.startsWith("requests." + HUGE_PAGES);
  }

  static boolean isStandardForContainers(String name) {
    return OF_CONTAINERS.contains(name) || isHugePages(name);
  }

  /// Returns whether a quota may count a name without a prefix.
  static boolean isForQuotas(String name) {
    return isStandard(name) && !name.equals("storage");
  }

  static boolean isHugePages(String name) {
    return name.startsWith(HUGE_PAGES);
  }

  /// The size of a page, as text, of a resource such as `hugepages-2Mi`.
  static String pageSize(String name) {
    return name.substring(HUGE_PAGES.length());
  }

  /// A native resource, in contrast to an extended one of a device plugin.
  static boolean isNative(String name) {
    // Upstream's `IsNativeResource`, with its substring test.
    return name.indexOf('/') < 0 || name.contains("kubernetes.io/");
  }

  static boolean isExtended(String name) {
    return !isNative(name)
        && !name.startsWith("requests.")
        // A quota counts it under this longer name, which must be valid as well.
        && NameRules.qualifiedName("requests." + name).isEmpty();
  }

  /// Whether amounts must be whole numbers.
  static boolean isCounted(String name) {
    return COUNTED.contains(name) || isExtended(name);
  }

  /// Whether the limit may exceed the request.
  ///
  /// Huge pages and devices exist or do not; there is nothing to share, so request and limit must
  /// be equal.
  static boolean mayOvercommit(String name) {
    return isNative(name) && !isHugePages(name);
  }
}
