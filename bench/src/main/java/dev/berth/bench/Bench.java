package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Runs one benchmark by its name: `api`, `cri`, `node`, `scheduler`.
public final class Bench {
  private static final String USAGE =
      """
      usage: ./dev bench api [--objects 1000,10000,100000] [--seconds 5] [--results bench/results]
             ./dev bench cri [--seconds 5] [--results bench/results]
             ./dev bench node [--rounds 20] [--bursts 30,100] [--results bench/results]
             ./dev bench scheduler [--nodes 1000,5000] [--pods 3000] [--results bench/results]""";

  private Bench() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> arguments = Arrays.asList(args);
    int seconds = Integer.parseInt(option(arguments, "--seconds", "5"));
    Path results = Path.of(option(arguments, "--results", "bench/results"));
    switch (arguments.isEmpty() ? "" : arguments.getFirst()) {
      case "api" ->
          new ApiBench(numbers(arguments, "--objects", "1000,10000,100000"), seconds, results)
              .run();
      case "cri" -> new CriBench(seconds, results).run();
      case "node" ->
          new NodeBench(
                  Integer.parseInt(option(arguments, "--rounds", "20")),
                  numbers(arguments, "--bursts", "30,100"),
                  results)
              .run();
      case "scheduler" ->
          new SchedulerBench(
                  numbers(arguments, "--nodes", "1000,5000"),
                  Integer.parseInt(option(arguments, "--pods", "3000")),
                  results)
              .run();
      default -> {
        System.err.println(USAGE);
        System.exit(2);
      }
    }
  }

  private static int[] numbers(List<String> arguments, String name, String standard) {
    return Arrays.stream(option(arguments, name, standard).split(",", -1))
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  private static String option(List<String> arguments, String name, String standard) {
    int at = arguments.indexOf(name);
    return at >= 0 && at + 1 < arguments.size() ? arguments.get(at + 1) : standard;
  }
}
