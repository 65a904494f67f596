package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Runs one benchmark by its name: `api`.
public final class Bench {
  private Bench() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> arguments = Arrays.asList(args);
    String name = arguments.isEmpty() ? "" : arguments.getFirst();
    if (!name.equals("api")) {
      System.err.println(
          "usage: ./dev bench api [--objects 1000,10000,100000] [--seconds 5] [--results bench/results]");
      System.exit(2);
    }
    new ApiBench(
            Arrays.stream(option(arguments, "--objects", "1000,10000,100000").split(",", -1))
                .mapToInt(Integer::parseInt)
                .toArray(),
            Integer.parseInt(option(arguments, "--seconds", "5")),
            Path.of(option(arguments, "--results", "bench/results")))
        .run();
  }

  private static String option(List<String> arguments, String name, String standard) {
    int at = arguments.indexOf(name);
    return at >= 0 && at + 1 < arguments.size() ? arguments.get(at + 1) : standard;
  }
}
