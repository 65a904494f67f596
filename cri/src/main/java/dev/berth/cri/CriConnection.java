package dev.berth.cri;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// One runtime service as seen from here: its clients and the state of the connection to it.
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

  /// Counts connections lost: behind each one there may be another server, which can do other
  /// things.
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

  /// The name that the service has on this node.
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

  /// Every call of it is unimplemented where the service runs no virtual machines.
  public VmClient virtualMachines() {
    return virtualMachines;
  }

  /// The version of CRI that the service answered in; `v1` until something else is known.
  public String apiVersion() {
    return negotiation.usesV1alpha2() ? CriV1alpha2.NAME : "v1";
  }

  /// `READY` says that a connection exists, not that the service is well.
  public ConnectivityState state() {
    return channel.getState(false);
  }

  /// Calls the listener after every change, on a thread of its own, with the state of that moment.
  /// Quick changes may be told as one. For as long as the connection lives.
  public void onStateChange(Consumer<ConnectivityState> listener) {
    listeners.add(listener);
  }

  /// Connects now, however long the back-off after a failure would last, and returns at once.
  public void connect() {
    channel.resetConnectBackoff();
    channel.getState(true);
  }

  /// Calls under way fail as cancelled or unavailable.
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

  private void follow(ConnectivityState seen) {
    channel.notifyWhenStateChanged(
        seen,
        () -> {
          if (seen == ConnectivityState.READY) {
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
