package dev.berth.bench.api;

import dev.berth.bench.api.ClosedLoopLoad.Requests;
import dev.berth.bench.api.ClosedLoopLoad.Result;
import dev.berth.bench.machine.TemporaryDirectory;
import dev.berth.bench.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Measures the cost of a feature. Two servers that differ in it alone get the same load in turn,
/// so that other work of the machine affects both.
public final class ServerPairBench {
  private final ServerDifference difference;
  private final int pods;
  private final int rounds;
  private final ClosedLoopLoad.Times seconds;
  private final Path results;

  public ServerPairBench(
      ServerDifference difference,
      int pods,
      int rounds,
      ClosedLoopLoad.Times seconds,
      Path results) {
    this.difference = difference;
    this.pods = pods;
    this.rounds = rounds;
    this.seconds = seconds;
    this.results = results;
  }

  /// A round: the same requests with and without the feature.
  public record Round(Result getWith, Result getWithout, Result postWith, Result postWithout) {}

  public void run() throws IOException, InterruptedException {
    Path withDir = Files.createTempDirectory("berth-bench");
    Path withoutDir = Files.createTempDirectory("berth-bench");
    try (ServerProcess with = start(withDir, difference.with().in(withDir));
        ServerProcess without = start(withoutDir, difference.without())) {
      // Both servers run all the time: memory and caches of the machine are shared alike.
      for (ServerProcess server : List.of(with, without)) {
        ApiBench.fill(server.credentials(), pods);
        // The counted second is thrown away; the load that matters is the warm-up before it.
        ClosedLoopLoad.Times warming = new ClosedLoopLoad.Times(seconds.warmUp(), 1);
        ClosedLoopLoad.run(server, Requests.GET, pods, warming);
        ClosedLoopLoad.run(server, Requests.POST, pods, warming);
      }
      List<Round> measured = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        measured.add(round(with, without, i % 2 == 0));
      }
      ServerPairReport.write(results, difference, measured, pods, seconds, Instant.now());
    } finally {
      TemporaryDirectory.delete(withDir);
      TemporaryDirectory.delete(withoutDir);
    }
  }

  private static ServerProcess start(Path dataDir, List<String> flags)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(flags);
    all.add("--no-controllers");
    return ServerProcess.start(Path.of("berth"), dataDir, all.toArray(String[]::new));
  }

  /// @param withFirst alternates, so that neither server always follows the other
  private Round round(ServerProcess with, ServerProcess without, boolean withFirst)
      throws IOException, InterruptedException {
    Result[] get = pair(with, without, Requests.GET, withFirst);
    Result[] post = pair(with, without, Requests.POST, withFirst);
    return new Round(get[0], get[1], post[0], post[1]);
  }

  /// The results with the feature and without it, in this order, whichever was measured first.
  private Result[] pair(
      ServerProcess with, ServerProcess without, Requests requests, boolean withFirst)
      throws IOException, InterruptedException {
    Result first = measure(withFirst ? with : without, requests, withFirst);
    Result second = measure(withFirst ? without : with, requests, !withFirst);
    return withFirst ? new Result[] {first, second} : new Result[] {second, first};
  }

  /// A load without warm-up: both servers are warm, and the other one rests meanwhile.
  private Result measure(ServerProcess server, Requests requests, boolean isOn)
      throws IOException, InterruptedException {
    Result result =
        ClosedLoopLoad.run(server, requests, pods, new ClosedLoopLoad.Times(0, seconds.counted()));
    System.err.println(
        String.format(
            Locale.ROOT,
            "%s, %s %s: %,.0f/s, %.0f us of the server's processor time each",
            requests.counted(),
            difference.title(),
            isOn ? "on" : "off",
            result.perSecond(),
            result.serverMicros()));
    return result;
  }
}
