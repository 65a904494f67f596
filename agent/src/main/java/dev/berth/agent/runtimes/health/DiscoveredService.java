package dev.berth.agent.runtimes.health;

import dev.berth.api.Problem;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The last answer of a runtime service about itself.
///
/// @param supplementalGroupsPolicy whether pods may choose their supplemental groups policy
/// @param userNamespacesHostNetwork whether user namespaces work with the host's network
public record DiscoveredService(
    RuntimeVersion version,
    ServiceHandlers handlers,
    List<RuntimeCondition> conditions,
    boolean supplementalGroupsPolicy,
    boolean userNamespacesHostNetwork) {
  public DiscoveredService {
    conditions = List.copyOf(conditions);
  }

  public Optional<RuntimeCondition> condition(String type) {
    return conditions.stream().filter(condition -> condition.type().equals(type)).findFirst();
  }

  public boolean isComputeReady() {
    return isTrue(RuntimeCondition.COMPUTE);
  }

  public boolean isNetworkReady() {
    return isTrue(RuntimeCondition.NETWORK);
  }

  private boolean isTrue(String type) {
    return condition(type).map(RuntimeCondition::status).orElse(false);
  }

  /// Why the service is not ready, in its own words; null when it is ready.
  @Nullable Problem obstacle(String service) {
    if (isComputeReady() && isNetworkReady()) {
      return null;
    }
    String type = isComputeReady() ? RuntimeCondition.NETWORK : RuntimeCondition.COMPUTE;
    return new Problem(
        "runtime service %s is not ready".formatted(service),
        condition(type)
            .map(
                condition ->
                    "%s is false: %s: %s".formatted(type, condition.reason(), condition.message()))
            .orElse(type + " is missing in its status"),
        type.equals(RuntimeCondition.NETWORK)
            ? "Give the runtime a network configuration (CNI)"
            : "Look at the runtime's own log");
  }
}
