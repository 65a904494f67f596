package dev.berth.server.http.guard;

import dev.berth.server.errors.ApiException;
import dev.berth.server.flowcontrol.FlowTicket;
import dev.berth.server.http.transport.RequestSeats;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The seats of one request in priority and fairness and its place in the in-flight limits.
///
/// The exchange of the request owns the admission once `await` has returned and leaves it when the
/// answer is complete. One thread at a time uses it.
public final class RequestAdmission implements RequestSeats {
  private final @Nullable FlowTicket ticket;
  private final Supplier<InflightRequests.Place> enter;
  private InflightRequests.@Nullable Place place;

  /// @param ticket null for a request that needs no seats
  /// @param place an already taken place; null for a request that counts only once it has its seats
  /// @param enter takes the place
  RequestAdmission(
      @Nullable FlowTicket ticket,
      InflightRequests.@Nullable Place place,
      Supplier<InflightRequests.Place> enter) {
    this.ticket = ticket;
    this.place = place;
    this.enter = enter;
  }

  /// Whether {@link #await} would block.
  public boolean mustWait() {
    return ticket != null && ticket.isWaiting();
  }

  /// Waits until the request may be served.
  ///
  /// @throws ApiException 429 after the time limit; the request then holds nothing
  void await() {
    try {
      if (ticket != null) {
        ticket.await();
      }
      if (place == null) {
        // The place comes after the seats: a request that only waits does not count as in flight.
        place = enter.get();
      }
    } catch (ApiException e) {
      leave();
      throw e;
    }
  }

  @Override
  public void leaveSeats() {
    if (ticket != null) {
      ticket.leave();
    }
  }

  @Override
  public void leave() {
    leaveSeats();
    if (place != null) {
      place.leave();
    }
  }
}
