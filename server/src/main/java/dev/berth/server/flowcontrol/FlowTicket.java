package dev.berth.server.flowcontrol;

import dev.berth.server.errors.ApiException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A request in priority and fairness: waiting, then served, then left.
///
/// The request's thread waits on it; the thread that frees seats marks it as served under the
/// controller's lock and wakes it outside of the lock. `leave` may be called at any time and any
/// number of times.
public final class FlowTicket {
  private final @Nullable FlowController controller;
  private final FlowRequest request;
  private final FlowSchema schema;
  private final FlowQueue.Key key;
  private final RequestCost cost;
  private final long arrival;
  private @Nullable FlowQueue queue; // guarded by the lock of the controller
  private int seats; // guarded by the lock of the controller

  /// Written under the controller's lock, read without it.
  private volatile State state = State.WAITING;

  /// The thread to unpark; null before it waits. Set before the state is checked again, so that no
  /// wake-up is lost.
  private volatile @Nullable Thread waiter;

  private enum State {
    WAITING,
    SERVED,
    ENDED
  }

  FlowTicket(
      @Nullable FlowController controller,
      FlowRequest request,
      FlowSchema schema,
      RequestCost cost,
      long arrival) {
    this.controller = controller;
    this.request = request;
    this.schema = schema;
    this.key = new FlowQueue.Key(schema, schema.flow(request), cost.isHeavy());
    this.cost = cost;
    this.arrival = arrival;
  }

  /// Whether {@link #await} would block.
  public boolean isWaiting() {
    return state == State.WAITING;
  }

  /// Waits until the request may be served; afterwards {@link #leave} must be called.
  ///
  /// @throws ApiException 429 after the time limit
  public void await() {
    if (state == State.WAITING && controller != null) {
      controller.await(this);
    }
  }

  /// Returns the seats; idempotent.
  public void leave() {
    if (controller != null) {
      controller.leave(this);
    }
  }

  /// Sleeps until the ticket is served, the time is over or the thread is interrupted.
  ///
  /// @param nanos maximum wait
  void park(long nanos) {
    waiter = Thread.currentThread();
    if (state == State.WAITING) {
      LockSupport.parkNanos(this, nanos);
    }
  }

  void wake() {
    LockSupport.unpark(waiter);
  }

  void serve() {
    state = State.SERVED;
  }

  /// Ends the request.
  ///
  /// @return whether it had been served
  boolean end() {
    boolean isServed = state == State.SERVED;
    state = State.ENDED;
    return isServed;
  }

  void assign(FlowQueue newQueue, int newSeats) {
    queue = newQueue;
    seats = newSeats;
  }

  FlowQueue queue() {
    if (queue == null) {
      throw new IllegalStateException("the request has not arrived");
    }
    return queue;
  }

  int seats() {
    return seats;
  }

  FlowSchema schema() {
    return schema;
  }

  FlowQueue.Key key() {
    return key;
  }

  /// The groups of the flow, outermost first; a flow without origin is alone in its group. Made
  /// when they are needed: a flow that has running requests has its groups already.
  List<FlowGroup.Key> groups() {
    List<FlowOrigin> origins = schema.originsOf(request);
    return origins.isEmpty()
        ? List.of(new FlowGroup.Key(schema, new FlowOrigin(OriginKind.NONE, key.name())))
        : origins.stream().map(origin -> new FlowGroup.Key(schema, origin)).toList();
  }

  RequestCost cost() {
    return cost;
  }

  /// In the nanoseconds of the controller's ticker.
  long arrival() {
    return arrival;
  }
}
