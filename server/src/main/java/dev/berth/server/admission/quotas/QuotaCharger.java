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

/// Takes charges from quotas, each wholly or not at all, whoever else does so at the same time, be
/// it in this server or in another one on the same store.
///
/// Charges that wait for the same namespace are decided together, so that many objects at once cost
/// one write per quota and not one each.
final class QuotaCharger {
  private static final int STRIPES = 64;

  private final QuotaStore store;
  private final Stripe[] stripes = new Stripe[STRIPES];

  QuotaCharger(QuotaStore store) {
    this.store = store;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /// Namespaces that share a lock.
  private static final class Stripe {
    /// Held while quotas of these namespaces are charged or released; blocks on the store.
    final ReentrantLock lock = new ReentrantLock();

    final Queue<Ticket> waiting = new ConcurrentLinkedQueue<>();
  }

  /// One charge; its fields are guarded by the lock of the stripe.
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

  /// Takes a charge.
  ///
  /// @return why it was refused; empty when it was taken
  Optional<String> take(Ticket ticket) {
    Stripe stripe = stripe(ticket.namespace);
    stripe.waiting.add(ticket);
    stripe.lock.lock();
    try {
      // Whoever had the lock before may have decided this one, too.
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
            // The store is out of reach; what was taken until then is counted again later.
            tickets.forEach(ticket -> ticket.failure = e);
          } finally {
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
    // Taken from one quota and refused by another, which somebody else charged in between.
    for (Ticket ticket : tickets) {
      if (ticket.refusal != null) {
        giveBack(namespace, ticket.taken);
        ticket.taken.clear();
      }
    }
  }

  /// Looks before anything is written, so that a refusal leaves no trace.
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

  /// Charges one quota for all that are not refused, by compare-and-set until it works.
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
      Change change =
          used.equals(quota.used()) ? new Change(true, quota) : store.setUsed(quota, used);
      if (change.stored()) {
        refused.forEach(Ticket::refuse);
        for (Ticket ticket : charged) {
          ticket.taken.put(quota.name(), ticket.charge.shareOf(quota));
        }
        return;
      }
      quota = change.quota();
    }
  }

  /// Gives back what a ticket took, for an object that was not stored after all.
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

  /// Gives back what an object that is gone, or smaller now, counted for.
  ///
  /// @param freed by the name of the quota
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

  /// What is not counted yet is not freed; nothing gets below zero.
  private static ResourceAmounts less(ResourceAmounts used, ResourceAmounts share) {
    return used.minus(share.only(name -> used.get(name) != null)).atLeastZero();
  }

  private Stripe stripe(String namespace) {
    return stripes[Math.floorMod(namespace.hashCode(), STRIPES)];
  }
}
