package dev.berth.chaos.load;

import dev.berth.bench.servers.BenchCredentials;
import dev.berth.chaos.faults.CalmPeriods;
import dev.berth.chaos.history.CounterHistory;
import dev.berth.chaos.history.KeyStates;
import dev.berth.chaos.history.RevisionRecord;
import dev.berth.chaos.history.RunLog;
import dev.berth.chaos.history.WatchHistory;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/// Writers, counters and watchers of ConfigMaps at the servers of one store, and the checks of
/// their histories.
///
/// Half of the clients speak HTTP/2, half HTTP/1.1, because connections of both fail differently.
public final class StoreLoad implements AutoCloseable {
  private static final int WRITERS = 2;
  private static final int COUNTERS = 3;
  private static final String MARKER = "marker";
  private static final List<Version> VERSIONS = List.of(Version.HTTP_1_1, Version.HTTP_2);
  private static final Duration CATCH_UP = Duration.ofMinutes(2);

  private final RunLog log;
  private final CalmPeriods calm;
  private final KeyStates states = new KeyStates();
  private final RevisionRecord revisions;
  private final Map<String, CounterHistory> counters = new TreeMap<>();
  private final List<ApiCaller> callers = new ArrayList<>();
  private final Deque<LoadWorker> changers = new ArrayDeque<>();
  private final List<RevisionWatcher> watchers = new ArrayList<>();

  private StoreLoad(CalmPeriods calm, RunLog log) {
    this.calm = calm;
    this.log = log;
    this.revisions = new RevisionRecord(log);
  }

  /// Starts all clients. Every server must be ready.
  public static StoreLoad start(
      List<BenchCredentials> servers, CalmPeriods calm, RunLog log, long seed) {
    StoreLoad load = new StoreLoad(calm, log);
    Random seeds = new Random(seed);
    load.makeCounters(load.caller(servers.getFirst()));
    int number = 0;
    for (BenchCredentials server : servers) {
      for (int i = 0; i < WRITERS; i++) {
        Version version = VERSIONS.get(i % VERSIONS.size());
        load.add(server, version, "writer-" + number + "-" + i, seeds.nextLong());
      }
      load.count(server, "counter-client-" + number, seeds.nextLong());
      for (Version version : VERSIONS) {
        load.watch(server, version, "watcher-" + number + "-" + version);
      }
      number++;
    }
    return load;
  }

  private ApiCaller caller(BenchCredentials server) {
    return caller(server, Version.HTTP_1_1);
  }

  private ApiCaller caller(BenchCredentials server, Version version) {
    ApiCaller caller = new ApiCaller(server, version, calm, log);
    callers.add(caller);
    return caller;
  }

  private void makeCounters(ApiCaller api) {
    for (int i = 0; i < COUNTERS; i++) {
      String name = "counter-" + i;
      ApiAnswer answer = api.post(ConfigMaps.COLLECTION, ConfigMaps.json(name, "0", 0));
      if (!answer.isSuccess()) {
        throw new IllegalStateException(name + " cannot be created: " + answer);
      }
      counters.put(name, new CounterHistory());
    }
  }

  private void add(BenchCredentials server, Version version, String name, long seed) {
    keep(new RegisterWriter(name, caller(server, version), states, revisions, log, seed));
  }

  /// Starts the clients of counters at one server.
  private void count(BenchCredentials server, String name, long seed) {
    // Two clients at each server, so that they also compete there.
    Random seeds = new Random(seed);
    for (Version version : VERSIONS) {
      String one = name + "-" + version;
      keep(
          new CounterClient(
              one, caller(server, version), counters, revisions, log, seeds.nextLong()));
    }
  }

  private void watch(BenchCredentials server, Version version, String name) {
    RevisionWatcher watcher =
        new RevisionWatcher(
            name, caller(server, version), new WatchHistory(name, revisions, log), log);
    watchers.add(watcher);
    watcher.start();
  }

  private void keep(LoadWorker worker) {
    changers.add(worker);
    worker.start();
  }

  /// Stops the clients and checks all histories. The servers must be ready, and no fault active.
  ///
  /// @param servers the servers, which must all show the same state
  public void check(List<BenchCredentials> servers) {
    changers.forEach(LoadWorker::close);
    List<ApiCaller> readers = servers.stream().map(this::caller).toList();
    // A last write: a watcher that has seen it has seen everything before it.
    long marker = writeMarker(readers.getFirst());
    awaitWatchers(marker);
    watchers.forEach(LoadWorker::close);
    for (ApiCaller reader : readers) {
      checkServer(reader);
    }
    counters.forEach(
        (name, history) -> {
          log.count("operations on counters checked", history.size());
          report("counters (linearizability)", history.contradictions(), name + ": ");
        });
    for (RevisionWatcher watcher : watchers) {
      log.count("events checked", watcher.history().events());
      report("watches", watcher.history().skipped(), "");
    }
    log.count("keys checked", states.size());
  }

  private long writeMarker(ApiCaller api) {
    ApiAnswer answer = api.post(ConfigMaps.COLLECTION, ConfigMaps.json(MARKER, "end", 0));
    if (!answer.isSuccess()) {
      log.violation("convergence", "no write succeeds after the attack: " + answer);
      return 0;
    }
    return answer.revision();
  }

  /// Waits until every watcher has seen the marker; one that does not come so far is a violation.
  private void awaitWatchers(long revision) {
    long end = System.nanoTime() + CATCH_UP.toNanos();
    for (RevisionWatcher watcher : watchers) {
      while (watcher.history().last() < revision && System.nanoTime() < end) {
        LockSupport.parkNanos(20_000_000);
      }
      if (watcher.history().last() < revision) {
        log.violation(
            "watches",
            "a watch is at revision %d and does not reach %d within %s"
                .formatted(watcher.history().last(), revision, CATCH_UP));
      }
    }
  }

  /// Compares the final state of one server with all histories. The list also counts as a read of
  /// every counter.
  private void checkServer(ApiCaller api) {
    long invoked = System.nanoTime();
    ApiAnswer list = api.get(ConfigMaps.COLLECTION);
    long returned = System.nanoTime();
    if (!list.isSuccess()) {
      log.violation("convergence", "no list after the attack: " + list);
      return;
    }
    Map<String, String> actual = ConfigMaps.values(list.body());
    report("acknowledged writes", states.contradictions(actual), "");
    for (RevisionWatcher watcher : watchers) {
      report("watches", watcher.history().differences(actual), "");
    }
    counters.forEach(
        (name, history) ->
            history.read(invoked, returned, Long.parseLong(actual.getOrDefault(name, "0"))));
  }

  private void report(String rule, List<String> wrong, String prefix) {
    wrong.forEach(one -> log.violation(rule, prefix + one));
  }

  @Override
  public void close() {
    callers.forEach(ApiCaller::close);
    changers.forEach(LoadWorker::close);
    watchers.forEach(LoadWorker::close);
  }
}
