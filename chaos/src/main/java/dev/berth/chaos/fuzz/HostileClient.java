package dev.berth.chaos.fuzz;

import dev.berth.bench.servers.BenchCredentials;
import dev.berth.chaos.faults.CalmPeriods;
import dev.berth.chaos.faults.FaultActor;
import dev.berth.chaos.history.RunLog;
import dev.berth.chaos.load.ApiCaller;
import dev.berth.relay.AnyCertificate;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;

/// Clients that send broken requests and open broken connections while the fault lasts. Each has a
/// random source of its own, so that the order of their threads does not change what they send.
public final class HostileClient implements FaultActor {
  /// The namespace of its objects, which keeps them apart from those of good clients.
  static final String NAMESPACE = "fuzz";

  private static final int REQUESTERS = 3;

  private final Supplier<BenchCredentials> credentials;
  private final List<InetSocketAddress> ports;
  private final List<String> paths;
  private final CalmPeriods calm;
  private final RunLog log;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean active;

  /// A client that is idle until `begin`.
  ///
  /// @param ports further ports to open connections at, besides the API server's
  /// @param paths further paths of requests, besides those of a few objects
  public HostileClient(
      Supplier<BenchCredentials> credentials,
      List<InetSocketAddress> ports,
      List<String> paths,
      CalmPeriods calm,
      RunLog log) {
    this.credentials = credentials;
    this.ports = List.copyOf(ports);
    this.paths = List.copyOf(paths);
    this.calm = calm;
    this.log = log;
  }

  @Override
  public void begin(RandomGenerator random) {
    active = true;
    BenchCredentials server = credentials.get();
    try (ApiCaller api = new ApiCaller(server, calm, log)) {
      api.post(
          "/api/v1/namespaces",
          "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
              .formatted(NAMESPACE));
    }
    for (int i = 0; i < REQUESTERS; i++) {
      start(random.nextLong(), seeds -> request(server, seeds));
    }
    InetSocketAddress api =
        new InetSocketAddress(server.server().getHost(), server.server().getPort());
    start(random.nextLong(), seeds -> connect(api, server.tls(), seeds));
    for (InetSocketAddress port : ports) {
      start(random.nextLong(), seeds -> connect(port, AnyCertificate.context(), seeds));
    }
  }

  private interface Attack {
    void run(Random random) throws InterruptedException;
  }

  /// Starts an attack on a thread, with a random source of its own.
  private void start(long seed, Attack attack) {
    threads.add(
        Thread.ofVirtual()
            .name("hostile")
            .start(
                () -> {
                  try {
                    attack.run(new Random(seed));
                  } catch (InterruptedException _) {
                    // The interrupt ends the fault.
                  }
                }));
  }

  private void request(BenchCredentials server, Random random) throws InterruptedException {
    try (BrokenRequests requests = new BrokenRequests(server, paths, random, log)) {
      while (active) {
        requests.send();
      }
    }
  }

  private void connect(InetSocketAddress address, SSLContext tls, Random random) {
    try (BrokenConnections connections = new BrokenConnections(address, tls, random, log)) {
      while (active) {
        connections.open();
      }
    }
  }

  @Override
  public void end() {
    active = false;
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
    threads.clear();
    try (ApiCaller api = new ApiCaller(credentials.get(), calm, log)) {
      // Pods that were accepted by chance would wait for a scheduler forever.
      api.delete("/api/v1/namespaces/" + NAMESPACE + "/pods?gracePeriodSeconds=0");
    }
  }
}
