package dev.berth.cli;

import dev.berth.cli.backup.BackupCommand;
import dev.berth.cli.controlplane.DemoCommand;
import dev.berth.cli.controlplane.DownCommand;
import dev.berth.cli.controlplane.SchedulerCommand;
import dev.berth.cli.controlplane.ServerCommand;
import dev.berth.cli.controlplane.TrainCacheCommand;
import dev.berth.cli.controlplane.UpCommand;
import dev.berth.cli.images.ImagesCommand;
import dev.berth.cli.node.AgentCommand;
import dev.berth.cli.node.TokenCommand;
import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.SectionedHelp;
import dev.berth.cli.rehearsal.RehearseCommand;
import dev.berth.cli.reports.CertsCommand;
import dev.berth.cli.reports.ClassesCommand;
import dev.berth.cli.reports.ExplainCommand;
import dev.berth.cli.reports.NodesCommand;
import dev.berth.cli.runtimes.RuntimesCommand;
import dev.berth.cli.runtimes.SimCommand;
import dev.berth.cli.runtimes.VmRuntimeCommand;
import dev.berth.launch.containerd.programs.ContainerdException;
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
import picocli.CommandLine.Model.UsageMessageSpec;
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

  /// Runs one command line and answers its exit code: 0 for success, 1 for a refusal or a failure,
  /// 2 for invalid arguments.
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    CommandLine berth = commands(args);
    berth
        .setUsageHelpWidth(100)
        .setOut(out)
        .setErr(err)
        .setExecutionStrategy(Main::execute)
        .setExecutionExceptionHandler(Main::explain);
    return berth.execute(args);
  }

  /// The root command with the subcommands that may be needed for these arguments.
  static CommandLine commands(String... args) {
    CommandLine berth = new CommandLine(new BerthCommand());
    commandsFor(args).forEach(berth::addSubcommand);
    prepare(berth);
    return berth;
  }

  /// All commands, or only the requested one: picocli inspects each command for milliseconds, and
  /// the start-up cache leaves picocli out because it is compiled for an old version of Java.
  private static List<Object> commandsFor(String... args) {
    return switch (args.length == 0 ? "" : args[0]) {
      case "up" -> List.of(new UpCommand());
      case "server" -> List.of(new ServerCommand());
      case "sim" -> List.of(new SimCommand());
      case "vm-runtime" -> List.of(new VmRuntimeCommand());
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
              new NodesCommand(),
              new RuntimesCommand(),
              new ImagesCommand(),
              new BackupCommand(),
              new SimCommand(),
              new VmRuntimeCommand(),
              new RehearseCommand(),
              new VersionCommand(),
              new CompletionCommand(),
              new TrainCacheCommand());
    };
  }

  /// What all commands have in common: a help flag, help with options in sections, and a parser
  /// that continues after a mistake to find them all.
  private static void prepare(CommandLine command) {
    command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, new SectionedHelp());
    command
        .getCommandSpec()
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Print this help.")
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
    // After other errors the parser stops before it sets defaults, and checks would report those.
    boolean whole = errors.stream().allMatch(UnmatchedArgumentException.class::isInstance);
    if (whole && command.getCommand() instanceof FlagChecks checks) {
      mistakes.addAll(checks.mistakes());
    }
    return mistakes.isEmpty()
        ? new CommandLine.RunLast().execute(parsed)
        : printMistakes(command, mistakes);
  }

  private static String message(Exception error) {
    if (!(error instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(error.getMessage());
    }
    String words = String.join(" ", unmatched.getUnmatched());
    List<String> suggestions = unmatched.getSuggestions();
    if (!suggestions.isEmpty()) {
      return words + ": unknown argument; did you mean " + String.join(" or ", suggestions) + "?";
    }
    List<String> commands =
        unmatched.getCommandLine().getSubcommands().entrySet().stream()
            .filter(one -> !one.getValue().getCommandSpec().usageMessage().hidden())
            .map(Map.Entry::getKey)
            .toList();
    return commands.isEmpty()
        ? words + ": unknown argument"
        : words + ": unknown command; the commands are " + String.join(", ", commands);
  }

  private static int printMistakes(CommandLine command, List<String> mistakes) {
    String name = command.getCommandSpec().qualifiedName();
    PrintWriter err = command.getErr();
    err.println(
        name
            + ": "
            + mistakes.size()
            + (mistakes.size() == 1 ? " invalid argument" : " invalid arguments"));
    mistakes.forEach(mistake -> err.println("  " + mistake));
    err.println("Run `" + name + " --help` for usage.");
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
      return printMistakes(command, List.of(message(failure)));
    }
    throw failure;
  }
}
