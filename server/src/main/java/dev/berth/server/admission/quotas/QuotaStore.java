package dev.berth.server.admission.quotas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.ResourceAmounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The quotas of the cluster, whose used amounts are changed by compare-and-set.
public interface QuotaStore {
  /// A quota as it is stored.
  ///
  /// @param revision what the compare-and-set compares
  /// @param object the whole object, not to be changed
  /// @param hard the amounts that are allowed, by its status; empty until it was first counted
  public record StoredQuota(
      String name, long revision, ObjectNode object, ResourceAmounts hard, ResourceAmounts used) {
    public static StoredQuota of(ObjectNode object, long revision) {
      return new StoredQuota(
          object.path("metadata").path("name").asText(),
          revision,
          object,
          ResourceAmounts.of(object.path("status").path("hard")),
          ResourceAmounts.of(object.path("status").path("used")));
    }

    public JsonNode spec() {
      return object.path("spec");
    }
  }

  /// What became of a change of the used amounts.
  ///
  /// @param quota as it is stored now; null when it is gone
  public record Change(boolean stored, @Nullable StoredQuota quota) {}

  List<StoredQuota> quotas(String namespace);

  /// Sets the used amounts unless somebody else changed the quota meanwhile.
  Change setUsed(StoredQuota expected, ResourceAmounts used);
}
