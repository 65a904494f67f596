package dev.berth.cli.node;

import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.KubeconfigFlag;
import dev.berth.launch.join.JoinTokens;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth token`: lets another machine join.
@Command(
    name = "token",
    description =
        "Create a bootstrap token and print the command with which another machine joins the cluster.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {"  berth token", "  berth token --hours 1", "  berth token --rejoin"})
public final class TokenCommand implements Callable<Integer>, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private KubeconfigFlag kubeconfig;

  @Option(
      names = "--hours",
      paramLabel = "N",
      defaultValue = "24",
      description = "Lifetime of the token in hours. Default: ${DEFAULT-VALUE}.")
  private String hours = "";

  @Option(
      names = "--rejoin",
      description =
          "Allow the token to replace nodes that exist, for example a node whose certificate"
              + " has expired. Whoever has the token can replace any node.")
  private boolean rejoin;

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(kubeconfig.mistakes());
    if (!hours.matches("[1-9][0-9]{0,4}")) {
      mistakes.add("--hours=" + hours + ": must be a number from 1 to 99999");
    }
    return mistakes;
  }

  @Override
  public Integer call() {
    JoinTokens.Made made =
        JoinTokens.create(kubeconfig.path(), Duration.ofHours(Integer.parseInt(hours)), rejoin);
    spec.commandLine()
        .getOut()
        .printf("berth agent --server %s --token %s%n", made.server(), made.token());
    if (made.isForThisMachineOnly()) {
      spec.commandLine()
          .getErr()
          .printf(
              "Note: %s is an address of this machine only. For another machine start the server"
                  + " with --bind-address, and name the server there by an address that it reaches.%n",
              made.server());
    }
    return 0;
  }
}
