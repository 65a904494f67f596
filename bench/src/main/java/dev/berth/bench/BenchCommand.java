package dev.berth.bench;

import dev.berth.bench.api.ApiBench;
import dev.berth.bench.api.ClosedLoopLoad;
import dev.berth.bench.api.ServerDifference;
import dev.berth.bench.api.ServerPairBench;
import dev.berth.bench.cri.CriBench;
import dev.berth.bench.images.ImageBench;
import dev.berth.bench.machine.ProcessUse;
import dev.berth.bench.node.NodeBench;
import dev.berth.bench.node.VmBench;
import dev.berth.bench.scheduler.SchedulerBench;
import dev.berth.bench.servers.ExternalServer;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Runs one benchmark by name: `api`, `cri`, `fairness`, `images`, `node`, `scheduler`, `vm`.
///
/// Each benchmark writes its file in the results directory when it has ended, and nothing before: a
/// run that fails leaves the figures of the last one.
public final class BenchCommand {
  private static final String USAGE =
      """
      usage: ./dev bench api [--objects 1000,10000,100000] [--warm-up 180] [--seconds 6] [--beside KUBECONFIG --beside-processes PID,PID] [--results bench/results]
             ./dev bench audit|encryption|fairness [--pods 1000] [--rounds 7] [--warm-up 60] [--seconds 6] [--results bench/results]
             ./dev bench cri [--seconds 5] [--results bench/results]
             ./dev bench images [--rounds 15] [--layer 4194304] [--results bench/results]
             ./dev bench node [--rounds 20] [--warm-up 600] [--bursts 30,100] [--results bench/results]
             ./dev bench scheduler [--nodes 1000,5000] [--pods 3000] [--warm-up 3000] [--results bench/results]
             ./dev bench vm [--rounds 15] [--pods 10,30,50] [--results bench/results]""";

  private static final String WARM_UP = "--warm-up";
  private static final String PODS = "--pods";
  private static final String ROUNDS = "--rounds";
  private static final String SECONDS = "--seconds";
  private static final String RESULTS = "--results";
  private static final String BESIDE = "--beside";
  private static final String BESIDE_PROCESSES = "--beside-processes";
  private static final String DIRECTORY = "bench/results";

  private BenchCommand() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    try {
      run(Arrays.asList(args));
    } catch (BenchOptions.Mistake e) {
      System.err.println(e.getMessage());
      System.err.println(USAGE);
      // As the product's command line does for a wrong usage.
      System.exit(2);
    }
  }

  private static void run(List<String> arguments) throws IOException, InterruptedException {
    String name = arguments.isEmpty() ? "" : arguments.getFirst();
    List<String> rest = arguments.isEmpty() ? arguments : arguments.subList(1, arguments.size());
    switch (name) {
      case "api" -> api(rest).run();
      case "cri" -> cri(rest).run();
      case "audit" -> pair(ServerDifference.audit(), rest).run();
      case "encryption" -> pair(ServerDifference.encryption(), rest).run();
      case "fairness" -> pair(ServerDifference.fairness(), rest).run();
      case "images" -> images(rest).run();
      case "node" -> node(rest).run();
      case "scheduler" -> scheduler(rest).run();
      case "vm" -> vm(rest).run();
      default ->
          throw new BenchOptions.Mistake(
              "benchmark \"%s\" does not exist; the benchmarks are api, audit, cri, encryption, fairness, images, node, scheduler, vm"
                  .formatted(name));
    }
  }

  private static ApiBench api(List<String> arguments) {
    BenchOptions options =
        BenchOptions.parse(
            arguments,
            Map.of(
                "--objects",
                "1000,10000,100000",
                WARM_UP,
                "180",
                SECONDS,
                "6",
                BESIDE,
                "",
                BESIDE_PROCESSES,
                "",
                RESULTS,
                DIRECTORY));
    return new ApiBench(
        options.numbers("--objects"),
        new ClosedLoopLoad.Times(options.count(WARM_UP), options.number(SECONDS)),
        beside(options),
        options.path(RESULTS));
  }

  private static List<ExternalServer> beside(BenchOptions options) {
    if (options.text(BESIDE).isEmpty()) {
      return List.of();
    }
    return List.of(
        // The processes cannot be found from a kubeconfig, and their processor time is half of the
        // comparison.
        new ExternalServer(
            options.path(BESIDE),
            Arrays.stream(options.numbers(BESIDE_PROCESSES)).mapToObj(ProcessUse::of).toList()));
  }

  private static CriBench cri(List<String> arguments) {
    BenchOptions options = BenchOptions.parse(arguments, Map.of(SECONDS, "5", RESULTS, DIRECTORY));
    return new CriBench(options.number(SECONDS), options.path(RESULTS));
  }

  private static ServerPairBench pair(ServerDifference difference, List<String> arguments) {
    BenchOptions options =
        BenchOptions.parse(
            arguments,
            Map.of(PODS, "1000", ROUNDS, "7", WARM_UP, "60", SECONDS, "6", RESULTS, DIRECTORY));
    return new ServerPairBench(
        difference,
        options.number(PODS),
        options.number(ROUNDS),
        new ClosedLoopLoad.Times(options.count(WARM_UP), options.number(SECONDS)),
        options.path(RESULTS));
  }

  private static ImageBench images(List<String> arguments) {
    BenchOptions options =
        BenchOptions.parse(
            arguments, Map.of(ROUNDS, "15", "--layer", "4194304", RESULTS, DIRECTORY));
    return new ImageBench(options.number(ROUNDS), options.number("--layer"), options.path(RESULTS));
  }

  private static NodeBench node(List<String> arguments) {
    BenchOptions options =
        BenchOptions.parse(
            arguments,
            Map.of(ROUNDS, "20", WARM_UP, "600", "--bursts", "30,100", RESULTS, DIRECTORY));
    return new NodeBench(
        options.number(ROUNDS),
        options.count(WARM_UP),
        options.numbers("--bursts"),
        options.path(RESULTS));
  }

  private static SchedulerBench scheduler(List<String> arguments) {
    BenchOptions options =
        BenchOptions.parse(
            arguments,
            Map.of("--nodes", "1000,5000", PODS, "3000", WARM_UP, "3000", RESULTS, DIRECTORY));
    return new SchedulerBench(
        options.numbers("--nodes"),
        options.number(PODS),
        options.count(WARM_UP),
        options.path(RESULTS));
  }

  private static VmBench vm(List<String> arguments) {
    BenchOptions options =
        BenchOptions.parse(arguments, Map.of(ROUNDS, "15", PODS, "10,30,50", RESULTS, DIRECTORY));
    return new VmBench(options.number(ROUNDS), options.numbers(PODS), options.path(RESULTS));
  }
}
