package dev.berth.cli.images;

import dev.berth.agent.runtimes.admin.AdminAnswer.Images;
import dev.berth.agent.runtimes.admin.ImageEntry;
import dev.berth.cli.options.AgentFlags;
import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.OutputFlag;
import dev.berth.cli.options.TextColumns;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth images list`.
@Command(
    name = "list",
    description =
        "List the images of all image services of the agent on this machine, with the handler for"
            + " which each was pulled.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {"  berth images list", "  berth images list -o wide     with image IDs"})
final class ImagesListCommand implements Callable<Integer>, FlagChecks {
  private static final String NONE = "<none>";

  @Spec private CommandSpec spec;
  @Mixin private AgentFlags agent;

  @Mixin private OutputFlag output;

  @Override
  public List<String> mistakes() {
    return output.mistakes();
  }

  @Override
  public Integer call() {
    return agent.askImages(spec.commandLine(), this::print);
  }

  private int print(Images list) {
    PrintWriter out = spec.commandLine().getOut();
    if (!output.isTable()) {
      output.print(Map.of("images", list.images(), "problems", list.problems()), out);
      return ExitCode.OK;
    }
    table(list.images(), output.isWide()).forEach(out::println);
    list.problems().forEach(problem -> spec.commandLine().getErr().println("Warning: " + problem));
    return ExitCode.OK;
  }

  private static List<String> table(List<ImageEntry> images, boolean wide) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("IMAGE", "HANDLER", "SIZE", "SERVICE", "ID"));
    for (ImageEntry image : images) {
      for (String name : image.names().isEmpty() ? List.of(NONE) : image.names()) {
        String handler = image.handler().isEmpty() ? NONE : image.handler();
        String size = String.format(Locale.ROOT, "%.1f MB", image.bytes() / 1e6);
        rows.add(List.of(name, handler, size, image.service(), image.id()));
      }
    }
    return TextColumns.align(
        wide ? rows : rows.stream().map(row -> row.subList(0, row.size() - 1)).toList());
  }
}
