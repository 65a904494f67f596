package dev.berth.server.admission.quotas;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.ResourceAmounts;
import dev.berth.api.resources.ObjectUsage;
import dev.berth.api.resources.QuotaScopes;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.admission.quotas.QuotaStore.StoredQuota;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Charges the ResourceQuotas of a namespace for created objects and rejects those that exceed a
/// quota. Unlike upstream, which leaves that to its controller, a deletion frees its amounts at
/// once, and a write that fails after it was charged is refunded.
///
/// The charge is made in the reserving phase, right before the store: every other check has passed
/// by then. A crash between charge and write leaves amounts charged for nothing, which the quota
/// controller corrects when it recounts.
public final class QuotaAdmission implements AdmissionPlugin {
  private static final Logger log = LoggerFactory.getLogger(QuotaAdmission.class);

  private final QuotaStore store;
  private final QuotaCharger desk;

  public QuotaAdmission(QuotaStore store) {
    this.store = store;
    this.desk = new QuotaCharger(store);
  }

  @Override
  public Runnable reserve(AdmissionAttributes write) {
    @Nullable QuotaCharge charge = charge(write);
    if (charge == null) {
      return () -> {};
    }
    List<StoredQuota> quotas = store.quotas(write.namespace());
    // Most namespaces have no quota; they take no lock.
    if (quotas.stream().noneMatch(charge::concerns)) {
      return () -> {};
    }
    // A dry run is checked against the stored amounts and charges nothing.
    if (write.dryRun()) {
      quotas.stream()
          .filter(charge::concerns)
          .flatMap(quota -> charge.refusal(quota, quota.used()).stream())
          .findFirst()
          .ifPresent(
              why -> {
                throw write.forbidden(why);
              });
      return () -> {};
    }
    QuotaCharger.Ticket ticket = new QuotaCharger.Ticket(write.namespace(), charge);
    Optional<String> refusal = desk.take(ticket);
    if (refusal.isPresent()) {
      throw write.forbidden(refusal.get());
    }
    return () -> desk.giveBack(ticket);
  }

  /// The amounts that the write adds; null when it adds nothing.
  private static @Nullable QuotaCharge charge(AdmissionAttributes write) {
    ObjectNode object = write.object();
    String resource = write.kind().bucket();
    boolean resize = resource.equals(ObjectUsage.PODS) && write.subresource().equals("resize");
    if (object == null
        || write.namespace().isEmpty()
        || write.operation() == Operation.DELETE
        || !(write.subresource().isEmpty() || resize)
        || !ObjectUsage.isCounted(resource)) {
      return null;
    }
    ResourceAmounts usage = ObjectUsage.of(resource, object);
    ObjectNode old = write.old();
    if (old != null) {
      // An update only pays for what it adds; what it frees is returned after the write.
      usage = usage.minus(ObjectUsage.of(resource, old)).positive();
    }
    return usage.isEmpty() ? null : new QuotaCharge(resource, object, usage);
  }

  /// Frees the amounts that the object no longer uses.
  @Override
  public void committed(AdmissionAttributes write) {
    ObjectNode old = write.old();
    String resource = write.kind().bucket();
    if (old == null || write.namespace().isEmpty() || !ObjectUsage.isCounted(resource)) {
      return;
    }
    List<StoredQuota> quotas = store.quotas(write.namespace());
    if (quotas.isEmpty()) {
      return;
    }
    ResourceAmounts freed = ObjectUsage.of(resource, old);
    ObjectNode object = write.object();
    if (object != null) {
      freed = freed.minus(ObjectUsage.of(resource, object)).positive();
    }
    Map<String, ResourceAmounts> shares = new HashMap<>();
    for (StoredQuota quota : quotas) {
      ResourceAmounts share = freed.only(name -> quota.hard().get(name) != null).positive();
      if (!share.isEmpty() && QuotaScopes.include(quota.spec(), resource, old)) {
        shares.put(quota.name(), share);
      }
    }
    try {
      desk.giveBack(write.namespace(), shares);
    } catch (RuntimeException e) {
      // The write is already stored. The quota controller recounts later.
      log.warn(
          "cannot free quota, the controller recounts it later namespace={} reason=\"{}\"",
          write.namespace(),
          e.getMessage());
    }
  }
}
