package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Runs one benchmark by its name: `api`, `scheduler`.
public final class Bench {
  private Bench() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> arguments = Arrays.asList(args);
    String name = arguments.isEmpty() ? "" : arguments.getFirst();
    Path results = Path.of(option(arguments, "--results", "bench/results"));
    switch (name) {
      case "api" ->
          new ApiBench(
                  numbers(arguments, "--objects", "1000,10000,100000"),
                  Integer.parseInt(option(arguments, "--seconds", "5")),
                  results)
              .run();
      case "scheduler" ->
          new SchedulerBench(
                  numbers(arguments, "--nodes", "1000,5000"),
                  Integer.parseInt(option(arguments, "--pods", "3000")),
                  results)
              .run();
      default -> {
        System.err.println(
            """
            usage: ./dev bench api [--objects 1000,10000,100000] [--seconds 5] [--results bench/results]
                   ./dev bench scheduler [--nodes 1000,5000] [--pods 3000] [--results bench/results]""");
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
