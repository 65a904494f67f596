package dev.berth.bench.cri;

import dev.berth.bench.machine.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/// Measures runtime services behind a registry: calls, bindings, loss and return, and for
/// comparison a proxy, which is the other way to serve several runtimes to one agent.
public final class CriBench {
  private final int seconds;
  private final Path results;

  public CriBench(int seconds, Path results) {
    this.seconds = seconds;
    this.results = results;
  }

  public void run() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("berth-cri");
    try {
      say("calls in this process");
      List<CriCallCost.Cost> costs = new CriCallCost().run(directory.resolve("calls"));
      say("the same calls over sockets, and through a proxy");
      // Times a thousand calls: a second has about as many calls of each kind.
      List<CriProxyHop.Latency> hops = new CriProxyHop().run(directory, 1_000 * seconds);
      say("binding and looking up %,d pods", CriBinding.PODS);
      CriBinding.Rates rates = new CriBinding().run(directory.resolve("binding"), 64, seconds);
      say("killing a runtime and starting it again");
      // Each round takes the two seconds of absence and more; twice the seconds keeps a run below a
      // minute.
      RuntimeLoss.Times times = new RuntimeLoss().run(directory, 2 * seconds);
      new CriReport(costs, hops, rates, times).write(results, Instant.now());
    } finally {
      TemporaryDirectory.delete(directory);
    }
  }

  private static void say(String format, Object... values) {
    System.err.println(String.format(java.util.Locale.ROOT, format, values));
  }
}
