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

/// What a write would take from the quotas of its namespace; pure.
///
/// @param resource plural and group of the object
/// @param delta what it counts for more than before
record QuotaCharge(String resource, JsonNode object, ResourceAmounts delta) {
  /// Whether the quota counts the object.
  boolean concerns(StoredQuota quota) {
    return !resources(quota).isEmpty() && QuotaScopes.include(quota.spec(), resource, object);
  }

  /// The resources of the quota that objects of this kind have.
  private Set<String> resources(StoredQuota quota) {
    return quota.hard().names().stream()
        .filter(name -> ObjectUsage.isAbout(name, resource))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// What the quota has of the charge.
  ResourceAmounts shareOf(StoredQuota quota) {
    return delta.only(name -> quota.hard().get(name) != null);
  }

  /// Why the quota does not allow the charge, in upstream's words; empty when it does.
  ///
  /// @param used what is used already, which may be more than the quota says
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
