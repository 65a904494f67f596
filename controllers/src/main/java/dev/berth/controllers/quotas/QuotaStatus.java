package dev.berth.controllers.quotas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Quantity;
import dev.berth.api.ResourceAmounts;
import java.util.Map;
import java.util.TreeMap;

/// Compares the status of a quota with its specification and usage; pure functions.
final class QuotaStatus {
  private QuotaStatus() {}

  /// Whether the status has the limits of the specification and their usage.
  static boolean isCounted(JsonNode quota) {
    ResourceAmounts hard = hard(quota);
    return hard.equals(ResourceAmounts.of(quota.path("status").path("hard")))
        && used(quota).names().containsAll(hard.names());
  }

  static ResourceAmounts hard(JsonNode quota) {
    return ResourceAmounts.of(quota.path("spec").path("hard"));
  }

  static ResourceAmounts used(JsonNode quota) {
    return ResourceAmounts.of(quota.path("status").path("used"));
  }

  /// The usage of every resource that the quota counts, zero included.
  static ResourceAmounts complete(JsonNode quota, ResourceAmounts counted) {
    Map<String, Quantity> all = new TreeMap<>();
    hard(quota).names().forEach(name -> all.put(name, counted.orZero(name)));
    return ResourceAmounts.of(all);
  }

  /// The first count of a new or changed quota. The usage so far may include charges for objects
  /// that are not stored yet, so that it never decreases here.
  static ResourceAmounts first(JsonNode quota, ResourceAmounts counted) {
    ResourceAmounts complete = complete(quota, counted);
    return complete.max(used(quota).only(name -> complete.get(name) != null));
  }

  /// The quota with this status.
  static ObjectNode with(ObjectNode quota, ResourceAmounts used) {
    ObjectNode next = quota.deepCopy();
    ObjectNode status = next.putObject("status");
    hard(quota).writeTo(status.putObject("hard"));
    used.writeTo(status.putObject("used"));
    return next;
  }
}
