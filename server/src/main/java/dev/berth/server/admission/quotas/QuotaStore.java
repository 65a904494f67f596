package dev.berth.server.admission.quotas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.ResourceAmounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads quotas and changes their used amounts by compare-and-set.
///
/// `QuotaCharger` is the only user. The used amounts live in the status of the stored object, so
/// all servers of a shared store charge the same account.
public interface QuotaStore {
  /// A stored quota.
  ///
  /// @param revision the expected revision of a compare-and-set
  /// @param object the whole object; the caller must not change it
  /// @param hard the limits in the status; empty until the first count
  record StoredQuota(
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

  /// The result of a change of the used amounts.
  ///
  /// @param quota the stored quota after the call; null when it was deleted
  record Change(boolean stored, @Nullable StoredQuota quota) {}

  List<StoredQuota> quotas(String namespace);

  /// Sets the used amounts unless the quota has changed concurrently.
  Change setUsed(StoredQuota expected, ResourceAmounts used);
}
