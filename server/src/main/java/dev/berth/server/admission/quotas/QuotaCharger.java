package dev.berth.server.admission.quotas;

import dev.berth.api.ResourceAmounts;
import dev.berth.server.admission.quotas.QuotaStore.Change;
import dev.berth.server.admission.quotas.QuotaStore.StoredQuota;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Charges quotas, each charge completely or not at all, also against concurrent changes by this
/// server or another server of the same store.
///
/// Charges that wait for the same namespace are decided in one batch, so that many concurrent
/// objects cost one write per quota instead of one each.
///
/// Two mechanisms work together. The lock of the namespace's stripe puts the requests of this
/// server in order; compare-and-set on the revision of the quota protects against other servers and
/// the quota controller. A ticket is decided by whichever request holds the lock, which need not be
/// its own.
final class QuotaCharger {
  /// Bounds the number of locks: namespaces are unbounded, and two namespaces in one stripe only
  /// wait for each other.
  private static final int STRIPES = 64;

  private final QuotaStore store;
  private final Stripe[] stripes = new Stripe[STRIPES];

  QuotaCharger(QuotaStore store) {
    this.store = store;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /// Namespaces are hashed to a fixed number of locks.
  private static final class Stripe {
    /// Held during compare-and-set writes, so it may block on the store.
    final ReentrantLock lock = new ReentrantLock();

    final Queue<Ticket> waiting = new ConcurrentLinkedQueue<>();
  }

  /// A charge of one write; the lock of its stripe guards the fields.
  static final class Ticket {
    private final String namespace;
    private final QuotaCharge charge;
    private final Map<String, ResourceAmounts> taken = new HashMap<>();
    private boolean decided;
    private @Nullable String refusal;
    private @Nullable RuntimeException failure;

    Ticket(String namespace, QuotaCharge charge) {
      this.namespace = namespace;
      this.charge = charge;
    }

    private void refuse(String why) {
      refusal = why;
    }
  }

  /// Charges the quotas.
  ///
  /// @return the reason of a rejection; empty after a successful charge
  Optional<String> take(Ticket ticket) {
    Stripe stripe = stripe(ticket.namespace);
    // The ticket is queued before the lock is taken: whoever holds the lock next decides it.
    stripe.waiting.add(ticket);
    stripe.lock.lock();
    try {
      // The previous holder of the lock may already have decided this ticket in its batch.
      if (!ticket.decided) {
        decideAll(stripe);
      }
      if (ticket.failure != null) {
        throw ticket.failure;
      }
      return Optional.ofNullable(ticket.refusal);
    } finally {
      stripe.lock.unlock();
    }
  }

  private void decideAll(Stripe stripe) {
    Map<String, List<Ticket>> byNamespace = new HashMap<>();
    for (Ticket ticket = stripe.waiting.poll(); ticket != null; ticket = stripe.waiting.poll()) {
      byNamespace.computeIfAbsent(ticket.namespace, _ -> new ArrayList<>()).add(ticket);
    }
    byNamespace.forEach(
        (namespace, tickets) -> {
          try {
            decide(namespace, tickets);
          } catch (RuntimeException e) {
            // The store is unavailable; the controller recounts charges that were already written.
            tickets.forEach(ticket -> ticket.failure = e);
          } finally {
            // A failed decision counts as a decision too; otherwise the next holder would look for
            // a ticket that is no longer queued.
            tickets.forEach(ticket -> ticket.decided = true);
          }
        });
  }

  private void decide(String namespace, List<Ticket> tickets) {
    List<StoredQuota> quotas = store.quotas(namespace);
    refuseWhatExceeds(quotas, tickets);
    for (StoredQuota quota : quotas) {
      charge(quota, tickets);
    }
    // A concurrent change made another quota reject the charge after the first one took it, so it
    // is refunded.
    for (Ticket ticket : tickets) {
      if (ticket.refusal != null) {
        giveBack(namespace, ticket.taken);
        ticket.taken.clear();
      }
    }
  }

  /// Checks before the first write, so that a rejection changes nothing.
  private static void refuseWhatExceeds(List<StoredQuota> quotas, List<Ticket> tickets) {
    Map<String, ResourceAmounts> used = new HashMap<>();
    quotas.forEach(quota -> used.put(quota.name(), quota.used()));
    for (Ticket ticket : tickets) {
      List<StoredQuota> concerned = quotas.stream().filter(ticket.charge::concerns).toList();
      for (StoredQuota quota : concerned) {
        ticket
            .charge
            .refusal(quota, used.getOrDefault(quota.name(), ResourceAmounts.NONE))
            .ifPresent(ticket::refuse);
        if (ticket.refusal != null) {
          break;
        }
      }
      if (ticket.refusal == null) {
        concerned.forEach(
            quota -> used.merge(quota.name(), ticket.charge.shareOf(quota), ResourceAmounts::plus));
      }
    }
  }

  /// Charges one quota for all tickets that are not rejected; retries compare-and-set until it
  /// succeeds.
  private void charge(StoredQuota first, List<Ticket> tickets) {
    @Nullable StoredQuota quota = first;
    while (quota != null) {
      ResourceAmounts used = quota.used();
      Map<Ticket, String> refused = new HashMap<>();
      List<Ticket> charged = new ArrayList<>();
      for (Ticket ticket : tickets) {
        if (ticket.refusal != null || !ticket.charge.concerns(quota)) {
          continue;
        }
        Optional<String> refusal = ticket.charge.refusal(quota, used);
        if (refusal.isPresent()) {
          refused.put(ticket, refusal.get());
        } else {
          used = used.plus(ticket.charge.shareOf(quota));
          charged.add(ticket);
        }
      }
      // A change that adds nothing needs no write.
      Change change =
          used.equals(quota.used()) ? new Change(true, quota) : store.setUsed(quota, used);
      if (change.stored()) {
        refused.forEach(Ticket::refuse);
        for (Ticket ticket : charged) {
          ticket.taken.put(quota.name(), ticket.charge.shareOf(quota));
        }
        return;
      }
      // Another writer was faster, or the quota was deleted, which ends the loop.
      quota = change.quota();
    }
  }

  /// Refunds a ticket whose object was not stored.
  void giveBack(Ticket ticket) {
    Stripe stripe = stripe(ticket.namespace);
    stripe.lock.lock();
    try {
      giveBack(ticket.namespace, ticket.taken);
      ticket.taken.clear();
    } finally {
      stripe.lock.unlock();
    }
  }

  /// Frees the amounts of an object that was deleted or became smaller.
  ///
  /// @param freed amounts by the name of the quota
  void giveBack(String namespace, Map<String, ResourceAmounts> freed) {
    if (freed.isEmpty()) {
      return;
    }
    Stripe stripe = stripe(namespace);
    stripe.lock.lock();
    try {
      for (StoredQuota first : store.quotas(namespace)) {
        ResourceAmounts share = freed.getOrDefault(first.name(), ResourceAmounts.NONE);
        @Nullable StoredQuota quota = share.isEmpty() ? null : first;
        while (quota != null) {
          ResourceAmounts used = less(quota.used(), share);
          Change change =
              used.equals(quota.used()) ? new Change(true, quota) : store.setUsed(quota, used);
          quota = change.stored() ? null : change.quota();
        }
      }
    } finally {
      stripe.lock.unlock();
    }
  }

  /// Subtracts at most what is used: amounts are never negative.
  private static ResourceAmounts less(ResourceAmounts used, ResourceAmounts share) {
    return used.minus(share.only(name -> used.get(name) != null)).atLeastZero();
  }

  private Stripe stripe(String namespace) {
    return stripes[Math.floorMod(namespace.hashCode(), STRIPES)];
  }
}
