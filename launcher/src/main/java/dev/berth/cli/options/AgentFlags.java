package dev.berth.cli.options;

import dev.berth.agent.runtimes.admin.AdminAnswer;
import dev.berth.agent.runtimes.admin.AdminAnswer.Done;
import dev.berth.agent.runtimes.admin.AdminAnswer.Images;
import dev.berth.agent.runtimes.admin.AdminAnswer.Progress;
import dev.berth.agent.runtimes.admin.AdminAnswer.Refused;
import dev.berth.agent.runtimes.admin.AdminAnswer.Services;
import dev.berth.agent.runtimes.admin.AdminClient;
import dev.berth.agent.runtimes.admin.AdminRequest;
import dev.berth.agent.runtimes.admin.NodeRuntimes.Places;
import dev.berth.launch.process.DefaultDataDir;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/// The flags by which commands find the agent of this machine.
public final class AgentFlags {
  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "Data directory of the agent on this machine. Default: the data directory of this"
              + " user.")
  private @Nullable String dataDir;

  /// Sends a request to the agent, and prints progress and refusals.
  ///
  /// @param listed what to do with a list of services
  /// @return the exit code
  public int ask(CommandLine command, AdminRequest request, ToIntFunction<Services> listed) {
    return ask(command, request, listed, _ -> ExitCode.OK);
  }

  /// Asks the agent for images.
  public int askImages(CommandLine command, ToIntFunction<Images> listed) {
    return ask(command, new AdminRequest.Images(), _ -> ExitCode.OK, listed);
  }

  private int ask(
      CommandLine command,
      AdminRequest request,
      ToIntFunction<Services> services,
      ToIntFunction<Images> images) {
    PrintWriter out = command.getOut();
    AdminAnswer answer = new AdminClient(socket()).ask(request, step -> show(out, step));
    return switch (answer) {
      case Services list -> services.applyAsInt(list);
      case Images list -> images.applyAsInt(list);
      case Progress step -> {
        show(out, step);
        yield ExitCode.OK;
      }
      case Done(var text) -> {
        out.println(text);
        yield ExitCode.OK;
      }
      case Refused(var problems) -> {
        problems.forEach(problem -> command.getErr().println("berth: " + problem));
        yield ExitCode.SOFTWARE;
      }
    };
  }

  public int ask(CommandLine command, AdminRequest request) {
    return ask(command, request, _ -> ExitCode.OK);
  }

  private Path socket() {
    Path data = dataDir == null ? DefaultDataDir.ofThisUser() : Path.of(dataDir);
    return Places.below(data.resolve("agent")).socket();
  }

  private static void show(PrintWriter out, Progress step) {
    out.println(step.text());
  }
}
