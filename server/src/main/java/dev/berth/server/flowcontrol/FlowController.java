package dev.berth.server.flowcontrol;

import dev.berth.server.errors.ApiException;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// Admits requests by priority and fairness; queues or rejects the others.
///
/// One lock guards the decision, which costs about two map lookups. Requests wait outside of the
/// lock and are woken outside of it.
public final class FlowController {
  /// Upstream's `Retry-After` for rejected requests.
  private static final int RETRY_AFTER_SECONDS = 1;

  private final FlowLimits limits;
  private final LongSupplier nanos;

  /// Guards the scheduler and the queues. Never held while a request waits or is served.
  private final ReentrantLock lock = new ReentrantLock();

  private final SeatScheduler scheduler; // guarded by the lock
  private final FlowMetrics metrics;
  private final RejectionLog log;

  /// Starts without any request.
  ///
  /// @param nanos a monotonic clock
  public FlowController(FlowLimits limits, LongSupplier nanos, PrometheusRegistry registry) {
    this.limits = limits;
    this.nanos = nanos;
    this.scheduler = new SeatScheduler(limits.seats(), limits.heavy());
    this.metrics = new FlowMetrics(registry, scheduler);
    this.log = new RejectionLog(nanos);
  }

  /// Takes seats or a place in a queue for a request; never blocks.
  ///
  /// @throws ApiException 429 when the queue is full
  public FlowTicket arrive(FlowRequest request, RequestCost cost) {
    FlowSchema schema = FlowSchemas.of(request);
    FlowTicket ticket = new FlowTicket(this, request, schema, cost, nanos.getAsLong());
    if (schema.level().isExempt()) {
      ticket.serve();
      metrics.of(schema).served(0, 0);
      return ticket;
    }
    List<FlowTicket> ready = List.of();
    SeatScheduler.Arrival arrival;
    lock.lock();
    try {
      arrival = scheduler.arrive(ticket);
      if (arrival == SeatScheduler.Arrival.SEATED) {
        ticket.serve();
      } else if (arrival == SeatScheduler.Arrival.WAITING) {
        metrics.of(schema).queued(1);
        ready = serveWaiting();
      }
    } finally {
      lock.unlock();
    }
    wake(ready);
    switch (arrival) {
      case SEATED -> metrics.of(schema).served(ticket.seats(), 0);
      case WAITING -> {}
      case QUEUE_FULL -> throw reject(ticket, RejectionReason.QUEUE_FULL);
      case CONCURRENCY_LIMIT -> throw reject(ticket, RejectionReason.CONCURRENCY_LIMIT);
    }
    return ticket;
  }

  /// Called with the lock held; the caller wakes the tickets after releasing it.
  private List<FlowTicket> serveWaiting() {
    FlowTicket next = scheduler.next();
    if (next == null) {
      return List.of();
    }
    List<FlowTicket> ready = new ArrayList<>();
    for (FlowTicket ticket = next; ticket != null; ticket = scheduler.next()) {
      ticket.serve();
      ready.add(ticket);
    }
    return ready;
  }

  private void wake(List<FlowTicket> ready) {
    for (FlowTicket ticket : ready) {
      FlowMetrics.OfSchema counts = metrics.of(ticket.schema());
      counts.queued(-1);
      counts.served(ticket.seats(), secondsWaited(ticket));
      ticket.wake();
    }
  }

  private double secondsWaited(FlowTicket ticket) {
    return (nanos.getAsLong() - ticket.arrival()) / 1e9;
  }

  void await(FlowTicket ticket) {
    long end = ticket.arrival() + limits.patience().toNanos();
    long left = end - nanos.getAsLong();
    boolean isInterrupted = false;
    while (ticket.isWaiting() && left > 0 && !isInterrupted) {
      ticket.park(left);
      left = end - nanos.getAsLong();
      isInterrupted = Thread.currentThread().isInterrupted();
    }
    if (ticket.isWaiting() && giveUp(ticket)) {
      throw reject(ticket, isInterrupted ? RejectionReason.CANCELLED : RejectionReason.TIME_OUT);
    }
  }

  /// Takes a ticket out of its queue.
  ///
  /// @return false when it has just been served
  private boolean giveUp(FlowTicket ticket) {
    List<FlowTicket> ready = List.of();
    boolean wasWaiting;
    lock.lock();
    try {
      wasWaiting = scheduler.withdraw(ticket);
      if (wasWaiting) {
        ticket.end();
        metrics.of(ticket.schema()).queued(-1);
        ready = serveWaiting();
      }
    } finally {
      lock.unlock();
    }
    wake(ready);
    return wasWaiting;
  }

  void leave(FlowTicket ticket) {
    boolean wasServed;
    List<FlowTicket> ready = List.of();
    if (ticket.schema().level().isExempt()) {
      leaveExempt(ticket);
      return;
    }
    lock.lock();
    try {
      wasServed = ticket.end();
      if (wasServed) {
        scheduler.leave(ticket);
        ready = serveWaiting();
      }
    } finally {
      lock.unlock();
    }
    wake(ready);
    if (wasServed) {
      metrics.of(ticket.schema()).left(ticket.seats());
    }
  }

  private void leaveExempt(FlowTicket ticket) {
    if (ticket.end()) {
      metrics.of(ticket.schema()).left(0);
    }
  }

  private ApiException reject(FlowTicket ticket, RejectionReason reason) {
    FlowSchema schema = ticket.schema();
    metrics.rejected(schema, reason, secondsWaited(ticket));
    String why =
        switch (reason) {
          case QUEUE_FULL ->
              "%d requests of this flow, %d of its namespace or address, or %d of its priority"
                      .formatted(
                          PriorityLevel.QUEUE_LENGTH,
                          ticket.queue().group.waitingLimit(schema.level()),
                          schema.level().waitingLimit())
                  + " level, wait already";
          case CONCURRENCY_LIMIT -> "all seats are taken, and this priority level has no queue";
          case TIME_OUT -> "no seat became free in %d s".formatted(limits.patience().toSeconds());
          case CANCELLED -> "the server is stopping";
        };
    log.rejected(schema, reason, why);
    return ApiException.tooManyRequests(
        "Too many requests, please try again later. %s: %s (priority level %s, flow schema %s)"
            .formatted(reason, why, schema.level().title(), schema.name()),
        RETRY_AFTER_SECONDS);
  }
}
