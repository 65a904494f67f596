package dev.berth.bench.api;

import dev.berth.bench.api.ClosedLoopLoad.Requests;
import dev.berth.bench.machine.TemporaryDirectory;
import dev.berth.bench.servers.BenchCredentials;
import dev.berth.bench.servers.ExternalServer;
import dev.berth.bench.servers.LoadedServer;
import dev.berth.bench.servers.ServerProcess;
import dev.berth.bench.servers.TlsClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Measures the API server over TLS, beside the figures of kube-apiserver 1.26 with etcd on two
/// cores.
///
/// Client and server share the cores, as a cluster on one small machine would. So the rates compare
/// servers on one machine only; processor time per request also compares machines.
public final class ApiBench {
  // Of the filling alone; the connections of each measured load are in [ClosedLoopLoad.Requests].
  private static final int CONNECTIONS = 32;
  // A connection each, over TLS: the figure has the cost of encrypting every event for every
  // watcher.
  private static final int WATCHERS = 1_000;

  /// Writes of the fan-out. Each causes as many events as there are watchers.
  private static final int FANOUT_WRITES = 20;

  /// Odd, so that one start is the median.
  private static final int STARTS = 5;

  private final int[] sizes;
  private final ClosedLoopLoad.Times seconds;
  // At most one in practice; a list spares a null.
  private final List<ExternalServer> beside;
  private final Path results;

  /// @param beside further API servers to put under the same load
  public ApiBench(
      int[] sizes, ClosedLoopLoad.Times seconds, List<ExternalServer> beside, Path results) {
    this.sizes = sizes;
    this.seconds = seconds;
    this.beside = List.copyOf(beside);
    this.results = results;
  }

  /// The rates of one server.
  public record Rates(
      ClosedLoopLoad.Result get, ClosedLoopLoad.Result list, ClosedLoopLoad.Result post) {}

  /// The measurements at one size of the store.
  public record Row(
      int objects,
      Rates rates,
      double fanoutPerSecond,
      double startSeconds,
      long idleMiB,
      long loadedMiB,
      double journalBytesPerObject) {}

  public void run() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    // A new directory for each size: the store of a size would otherwise have the objects of the
    // one before.
    for (int size : sizes) {
      Path dataDir = Files.createTempDirectory("berth-bench");
      try {
        rows.add(measure(size, dataDir));
      } finally {
        TemporaryDirectory.delete(dataDir);
      }
    }
    ApiReport.write(results, new Outcome(seconds, rows, besides()), Instant.now());
  }

  /// The results of a run.
  ///
  /// @param beside the rates of the other server, with as many pods as Berth's at its first size;
  ///   empty without one
  public record Outcome(ClosedLoopLoad.Times seconds, List<Row> rows, List<Rates> beside) {
    public Outcome {
      rows = List.copyOf(rows);
      beside = List.copyOf(beside);
    }
  }

  private List<Rates> besides() throws IOException, InterruptedException {
    List<Rates> rates = new ArrayList<>();
    for (ExternalServer other : beside) {
      say("the server beside, with %,d pods", sizes[0]);
      fill(other.credentials(), sizes[0]);
      // Filled as Berth's store was, by the same client; a namespace that exists already is no
      // error there.
      rates.add(load(other, sizes[0]));
    }
    return rates;
  }

  /// Measures the three kinds of requests. POST comes last, because it adds objects to the store.
  private Rates load(LoadedServer server, int size) throws IOException, InterruptedException {
    ClosedLoopLoad.Result get = say("GET", ClosedLoopLoad.run(server, Requests.GET, size, seconds));
    ClosedLoopLoad.Result list =
        say("LIST of 1,000", ClosedLoopLoad.run(server, Requests.LIST, size, seconds));
    ClosedLoopLoad.Result post =
        say("POST", ClosedLoopLoad.run(server, Requests.POST, size, seconds));
    return new Rates(get, list, post);
  }

  /// Measures one size of the store with three starts of the server: to fill it, to see a start
  /// with controllers, and to send the load.
  private Row measure(int size, Path dataDir) throws IOException, InterruptedException {
    say("store with %,d pods: filling", size);
    // Before compaction or deletion, so that the figure is the cost of objects and not of history.
    double journal;
    try (ServerProcess server = ServerProcess.start(Path.of("berth"), dataDir)) {
      fill(server.credentials(), size);
      journal = (double) server.journalBytes() / size;
    }
    say("start with %,d pods", size);
    // Lets the compilers of this process finish, so that they do not take part.
    TimeUnit.SECONDS.sleep(10);
    double start = startSeconds(dataDir);
    long idle = idleMiB(dataDir);
    say("ready after %.2f s, %d MiB resident", start, idle);
    try (ServerProcess server =
        // Controllers would react to the pods and take processor time from the requests.
        ServerProcess.start(Path.of("berth"), dataDir, "--no-controllers")) {
      BenchCredentials credentials = server.credentials();
      Rates rates = load(server, size);
      long loaded = server.residentMiB();
      // After the memory was read: buffers of a thousand watchers would count as memory of the
      // load.
      double fanout = fanout(credentials);
      say("watch fan-out: %,.0f events/s to %,d watchers", fanout, WATCHERS);
      return new Row(size, rates, fanout, start, idle, loaded, journal);
    }
  }

  // With controllers and after three seconds, in which they have listed everything once.
  private static long idleMiB(Path dataDir) throws IOException, InterruptedException {
    try (ServerProcess server = ServerProcess.start(Path.of("berth"), dataDir)) {
      TimeUnit.SECONDS.sleep(3);
      return server.residentMiB();
    }
  }

  /// The median of several starts.
  private static double startSeconds(Path dataDir) throws IOException, InterruptedException {
    double[] seconds = new double[STARTS];
    for (int i = 0; i < STARTS; i++) {
      try (ServerProcess server = ServerProcess.start(Path.of("berth"), dataDir)) {
        seconds[i] = server.untilReady().toNanos() / 1e9;
      }
    }
    Arrays.sort(seconds);
    return seconds[STARTS / 2];
  }

  /// Fills namespaces with 1,000 pods each, so that a LIST of one namespace has 1,000 at every
  /// size.
  public static void fill(BenchCredentials credentials, int size) throws InterruptedException {
    // The service account is created here because the servers under load run without the controller
    // that would do it, and admission refuses pods without one.
    createNamespaces(credentials, size);
    AtomicInteger next = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      // Platform threads: each blocks in the socket of its own connection most of the time.
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (TlsClient client = TlsClient.open(credentials)) {
                      for (int n = next.getAndIncrement(); n < size; n = next.getAndIncrement()) {
                        create(client, namespace(n), "p" + n);
                      }
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void createNamespaces(BenchCredentials credentials, int size) {
    try (TlsClient client = TlsClient.open(credentials)) {
      for (int i = 0; i <= (size - 1) / 1000 + 1; i++) {
        createNamespace(client, i == 0 ? "bench" : "n" + (i - 1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void createNamespace(TlsClient client, String name) throws IOException {
    check(client.post("/api/v1/namespaces", json("{\"metadata\":{\"name\":\"%s\"}}", name)));
    check(
        client.post(
            "/api/v1/namespaces/" + name + "/serviceaccounts",
            json("{\"metadata\":{\"name\":\"default\"}}")));
  }

  private static String namespace(int pod) {
    return "n" + pod / 1000;
  }

  private static void create(TlsClient client, String namespace, String name) throws IOException {
    check(client.post("/api/v1/namespaces/" + namespace + "/pods", BenchPods.pod(name)));
  }

  private static void check(TlsClient.Answer answer) throws IOException {
    // 409: a namespace or account exists already, on a server that is measured a second time.
    if (answer.status() >= 300 && answer.status() != 409) {
      throw new IOException("the server answered " + answer.status());
    }
  }

  /// Events that reach watchers per second. Every write reaches every watcher.
  private double fanout(BenchCredentials credentials) throws InterruptedException {
    long start = System.nanoTime();
    // A namespace of its own: pods that exist already would be sent first and counted as events.
    String namespace = "fanout-" + start;
    CountDownLatch open = new CountDownLatch(WATCHERS);
    CountDownLatch done = new CountDownLatch(WATCHERS);
    try (TlsClient client = TlsClient.open(credentials)) {
      createNamespace(client, namespace);
      for (int i = 0; i < WATCHERS; i++) {
        // A virtual thread per watcher costs the client little, so that the server's part
        // dominates.
        Thread.ofVirtual().start(() -> watch(credentials, namespace, open, done));
      }
      // Every watch must be open before the first write: a watcher that comes later misses events.
      // Generous: a thousand TLS handshakes share the cores with the server.
      if (!open.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the server did not accept all watchers");
      }
      start = System.nanoTime();
      for (int i = 0; i < FANOUT_WRITES; i++) {
        create(client, namespace, "w" + i);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // A rate without all events would be that of a server that drops some.
    if (!done.await(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("not all watchers saw all events");
    }
    return (double) WATCHERS * FANOUT_WRITES / ((System.nanoTime() - start) / 1e9);
  }

  /// Opens one watch and counts its events.
  private static void watch(
      BenchCredentials credentials, String namespace, CountDownLatch open, CountDownLatch done) {
    try (TlsClient client = TlsClient.open(credentials)) {
      client.send(
          "GET",
          "/api/v1/namespaces/" + namespace + "/pods?watch=1&resourceVersion=0&timeoutSeconds=300",
          new byte[0],
          "");
      client.receiveHead();
      open.countDown();
      // Reads until all events are seen. A watcher that missed one would wait for the limit above.
      for (int seen = 0; seen < FANOUT_WRITES; seen += client.countLines()) {}
      done.countDown();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] json(String format, Object... values) {
    return format.formatted(values).getBytes(StandardCharsets.UTF_8);
  }

  private static ClosedLoopLoad.Result say(String what, ClosedLoopLoad.Result result) {
    say(
        "%s: %,.0f/s, p50 %.2f ms, p99 %.2f ms, %.0f us of the server's processor time each",
        what, result.perSecond(), result.p50Millis(), result.p99Millis(), result.serverMicros());
    return result;
  }

  private static void say(String format, Object... values) {
    System.err.println(String.format(Locale.ROOT, format, values));
  }
}
