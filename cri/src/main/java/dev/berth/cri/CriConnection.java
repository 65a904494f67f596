package dev.berth.cri;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// A connection to one runtime service: its clients and its state.
///
/// gRPC connects again by itself, with back-off; a client of this class stays usable through any
/// number of restarts of the service. Safe for any number of threads.
public final class CriConnection implements AutoCloseable {
  private static final long CLOSE_SECONDS = 5;

  private final String service;
  private final CriEndpoint endpoint;
  private final ManagedChannel channel;
  private final VersionNegotiation negotiation;
  private final RuntimeClient runtime;
  private final ImageClient images;
  private final VmClient virtualMachines;
  private final List<Consumer<ConnectivityState>> listeners = new CopyOnWriteArrayList<>();

  /// Counts lost connections. After each one another server may listen, with other capabilities.
  private final AtomicLong losses = new AtomicLong();

  CriConnection(
      String service,
      CriEndpoint endpoint,
      ManagedChannel channel,
      CriDeadlines deadlines,
      CallObserver observer) {
    this.service = service;
    this.endpoint = endpoint;
    this.channel = channel;
    this.negotiation = new VersionNegotiation(losses::get);
    var calls = new CriCalls(channel, negotiation, observer);
    this.runtime = new GrpcRuntimeClient(calls, deadlines);
    this.images = new GrpcImageClient(calls, deadlines);
    this.virtualMachines = new GrpcVmClient(calls, deadlines);
    follow(channel.getState(false));
  }

  /// The name of the service on this node.
  public String service() {
    return service;
  }

  public CriEndpoint endpoint() {
    return endpoint;
  }

  public RuntimeClient runtime() {
    return runtime;
  }

  public ImageClient images() {
    return images;
  }

  /// The client of the virtual machine contract. All its calls are unimplemented at a service
  /// without virtual machines.
  public VmClient virtualMachines() {
    return virtualMachines;
  }

  /// The version of CRI that the service last answered in; `v1` before the first answer.
  public String apiVersion() {
    return negotiation.usesV1alpha2() ? CriV1alpha2.NAME : "v1";
  }

  /// The state of the connection. `READY` says that a connection exists, not that the service is
  /// healthy.
  public ConnectivityState state() {
    return channel.getState(false);
  }

  /// Calls the listener after each change, on a thread of its own, with the current state. Fast
  /// changes can arrive as one. The listener stays for the life of the connection.
  ///
  /// A listener that throws keeps later listeners from this one change only.
  public void onStateChange(Consumer<ConnectivityState> listener) {
    listeners.add(listener);
  }

  /// Starts to connect now, without waiting for the back-off after a failure, and returns at once.
  public void connect() {
    channel.resetConnectBackoff();
    channel.getState(true);
  }

  /// Closes the connection. Calls in progress fail as CANCELLED or UNAVAILABLE.
  ///
  /// Closing is final: a service that is registered again gets a new connection.
  @Override
  public void close() {
    channel.shutdownNow();
    try {
      channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return service + " at " + endpoint;
  }

  /// gRPC calls the listener once, so every call registers the next one. The state may have changed
  /// again by then, which `notifyWhenStateChanged` reports at once because `seen` is the older
  /// state.
  private void follow(ConnectivityState seen) {
    channel.notifyWhenStateChanged(
        seen,
        () -> {
          if (seen == ConnectivityState.READY) {
            // The count grows before listeners run, so they already see the negotiation reset.
            losses.incrementAndGet();
          }
          ConnectivityState now = channel.getState(false);
          try {
            listeners.forEach(listener -> listener.accept(now));
          } finally {
            if (now != ConnectivityState.SHUTDOWN) {
              follow(now);
            }
          }
        });
  }
}
