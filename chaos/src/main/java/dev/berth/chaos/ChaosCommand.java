package dev.berth.chaos;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/// The command line of the chaos run, `./dev chaos`. It starts itself again inside of namespaces;
/// the inner run has a mark among its arguments.
public final class ChaosCommand {
  private static final int VIOLATED = 1;
  private static final int MISUSED = 2;

  private ChaosCommand() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    System.exit(run(List.of(arguments)));
  }

  private static int run(List<String> arguments) throws IOException, InterruptedException {
    if (arguments.contains("--help") || arguments.contains("-h")) {
      System.out.print(ChaosOptions.USAGE);
      return 0;
    }
    boolean isolated = arguments.contains(RunIsolation.MARK);
    List<String> own = arguments.stream().filter(one -> !one.equals(RunIsolation.MARK)).toList();
    ChaosOptions options;
    try {
      options = ChaosOptions.parse(own, new Random().nextInt(1_000_000));
    } catch (ChaosOptions.Mistake e) {
      System.err.println("./dev chaos: " + e.getMessage());
      System.err.print(ChaosOptions.USAGE);
      return MISUSED;
    }
    if (!isolated) {
      if (!"root".equals(System.getProperty("user.name"))) {
        System.err.println(
            "./dev chaos: mounting disks and creating network namespaces needs root. Run"
                + " `sudo ./dev chaos`");
        return MISUSED;
      }
      return RunIsolation.run(own);
    }
    return new ChaosRun(options).run() ? 0 : VIOLATED;
  }
}
