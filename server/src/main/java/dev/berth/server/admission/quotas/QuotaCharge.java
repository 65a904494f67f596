package dev.berth.server.admission.quotas;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.ResourceAmounts;
import dev.berth.api.resources.ObjectUsage;
import dev.berth.api.resources.QuotaScopes;
import dev.berth.api.resources.RequiredResources;
import dev.berth.server.admission.quotas.QuotaStore.StoredQuota;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The amounts that a write takes from the quotas of its namespace; pure.
///
/// @param resource plural and group of the object
/// @param delta the added amounts
record QuotaCharge(String resource, JsonNode object, ResourceAmounts delta) {
  /// Whether the quota counts the object.
  boolean concerns(StoredQuota quota) {
    return !resources(quota).isEmpty() && QuotaScopes.include(quota.spec(), resource, object);
  }

  /// The quota's resources that objects of this kind can use.
  private Set<String> resources(StoredQuota quota) {
    return quota.hard().names().stream()
        .filter(name -> ObjectUsage.isAbout(name, resource))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// The part of the charge that this quota counts.
  ResourceAmounts shareOf(StoredQuota quota) {
    return delta.only(name -> quota.hard().get(name) != null);
  }

  /// The reason to reject the charge, with upstream's text; empty when the quota allows it.
  ///
  /// @param used the used amounts, which may be higher than the stored status
  Optional<String> refusal(StoredQuota quota, ResourceAmounts used) {
    Set<String> resources = resources(quota);
    if (resource.equals(ObjectUsage.PODS)) {
      Optional<String> missing = RequiredResources.missing(resources, object.path("spec"));
      if (missing.isPresent()) {
        return Optional.of("failed quota: " + quota.name() + ": " + missing.get());
      }
    }
    String unknown =
        resources.stream().filter(name -> used.get(name) == null).collect(Collectors.joining(","));
    // A quota that was never counted cannot be enforced; upstream refuses rather than lets the
    // first writes pass uncounted.
    if (!unknown.isEmpty()) {
      return Optional.of(
          "status unknown for quota: %s, resources: %s".formatted(quota.name(), unknown));
    }
    ResourceAmounts share = shareOf(quota).positive();
    ResourceAmounts exceeded =
        share.only(
            name ->
                used.orZero(name).plus(share.orZero(name)).compareTo(quota.hard().orZero(name))
                    > 0);
    return exceeded.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "exceeded quota: %s, requested: %s, used: %s, limited: %s"
                .formatted(
                    quota.name(),
                    exceeded,
                    used.only(name -> exceeded.get(name) != null),
                    quota.hard().only(name -> exceeded.get(name) != null)));
  }
}
