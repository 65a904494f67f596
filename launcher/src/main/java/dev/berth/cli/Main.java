package dev.berth.cli;

import dev.berth.cli.backup.BackupCommand;
import dev.berth.cli.controlplane.DemoCommand;
import dev.berth.cli.controlplane.DownCommand;
import dev.berth.cli.controlplane.SchedulerCommand;
import dev.berth.cli.controlplane.ServerCommand;
import dev.berth.cli.controlplane.TrainCommand;
import dev.berth.cli.controlplane.UpCommand;
import dev.berth.cli.images.ImagesCommand;
import dev.berth.cli.node.AgentCommand;
import dev.berth.cli.node.TokenCommand;
import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.reports.CertsCommand;
import dev.berth.cli.reports.ClassesCommand;
import dev.berth.cli.reports.ExplainCommand;
import dev.berth.cli.runtimes.RuntimesCommand;
import dev.berth.cli.runtimes.SimCommand;
import dev.berth.launch.containerd.ContainerdException;
import dev.berth.launch.process.LaunchException;
import dev.berth.server.ApiServer;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Entry point of the `berth` command.
public final class Main {
  private static final Set<String> STARTS_A_SERVER = Set.of("up", "server");

  private Main() {}

  public static void main(String[] args) {
    if (args.length > 0 && STARTS_A_SERVER.contains(args[0])) {
      ApiServer.prepare();
    }
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, args));
  }

  /// Runs one command line and answers its exit code: 0 done, 1 refused or failed, 2 a mistake in
  /// the words.
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    CommandLine berth = new CommandLine(new BerthCommand());
    commandsFor(args).forEach(berth::addSubcommand);
    berth
        .setUsageHelpWidth(100)
        .setOut(out)
        .setErr(err)
        .setExecutionStrategy(Main::execute)
        .setExecutionExceptionHandler(Main::explain);
    prepare(berth);
    return berth.execute(args);
  }

  /// All commands, or only the one that is asked for: picocli's look at a command takes
  /// milliseconds, and it is compiled for so old a Java that the start-up cache leaves it out.
  private static List<Object> commandsFor(String... args) {
    return switch (args.length == 0 ? "" : args[0]) {
      case "up" -> List.of(new UpCommand());
      case "server" -> List.of(new ServerCommand());
      case "sim" -> List.of(new SimCommand());
      case "agent" -> List.of(new AgentCommand());
      case "runtimes" -> List.of(new RuntimesCommand());
      case "images" -> List.of(new ImagesCommand());
      default ->
          List.of(
              new UpCommand(),
              new DownCommand(),
              new DemoCommand(),
              new ServerCommand(),
              new AgentCommand(),
              new TokenCommand(),
              new CertsCommand(),
              new SchedulerCommand(),
              new ExplainCommand(),
              new ClassesCommand(),
              new RuntimesCommand(),
              new ImagesCommand(),
              new BackupCommand(),
              new SimCommand(),
              new VersionCommand(),
              new CompletionCommand(),
              new TrainCommand());
    };
  }

  /// What all commands have in common: a help flag, and a parser that goes on after a mistake to
  /// find them all.
  private static void prepare(CommandLine command) {
    command
        .getCommandSpec()
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help.")
                .build())
        .parser()
        .collectErrors(true);
    command.getSubcommands().values().forEach(Main::prepare);
  }

  private static int execute(ParseResult parsed) {
    Integer helped = CommandLine.executeHelpRequest(parsed);
    if (helped != null) {
      return helped;
    }
    ParseResult last = parsed;
    List<Exception> errors = new ArrayList<>();
    while (true) {
      errors.addAll(last.errors());
      if (!last.hasSubcommand()) {
        break;
      }
      last = last.subcommand();
    }
    CommandLine command = last.commandSpec().commandLine();
    List<String> mistakes = new ArrayList<>(errors.stream().map(Main::message).toList());
    // After other errors the parser stops before defaults are set: checks would tell of them.
    boolean whole = errors.stream().allMatch(UnmatchedArgumentException.class::isInstance);
    if (whole && command.getCommand() instanceof FlagChecks checks) {
      mistakes.addAll(checks.mistakes());
    }
    return mistakes.isEmpty() ? new CommandLine.RunLast().execute(parsed) : tell(command, mistakes);
  }

  private static String message(Exception error) {
    if (!(error instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(error.getMessage());
    }
    String words = String.join(" ", unmatched.getUnmatched());
    List<String> suggestions = unmatched.getSuggestions();
    if (!suggestions.isEmpty()) {
      return words + ": not understood; did you mean " + String.join(" or ", suggestions) + "?";
    }
    List<String> commands =
        unmatched.getCommandLine().getSubcommands().entrySet().stream()
            .filter(one -> !one.getValue().getCommandSpec().usageMessage().hidden())
            .map(Map.Entry::getKey)
            .toList();
    return commands.isEmpty()
        ? words + ": not understood"
        : words + ": not understood; the commands are " + String.join(", ", commands);
  }

  private static int tell(CommandLine command, List<String> mistakes) {
    String name = command.getCommandSpec().qualifiedName();
    PrintWriter err = command.getErr();
    err.println(name + ": " + (mistakes.size() == 1 ? "a mistake" : mistakes.size() + " mistakes"));
    mistakes.forEach(mistake -> err.println("  " + mistake));
    err.println("Run `" + name + " --help` for what it accepts.");
    return CommandLine.ExitCode.USAGE;
  }

  private static int explain(Exception failure, CommandLine command, ParseResult parsed)
      throws Exception {
    if (failure instanceof LaunchException refused) {
      command.getErr().println("berth: " + refused.problem());
      return CommandLine.ExitCode.SOFTWARE;
    }
    if (failure instanceof ContainerdException refused) {
      command.getErr().println("berth: " + refused.problem());
      return CommandLine.ExitCode.SOFTWARE;
    }
    if (failure instanceof ParameterException) {
      return tell(command, List.of(message(failure)));
    }
    throw failure;
  }
}
