package dev.berth.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.agent.runtimes.admin.AdminAnswer.Images;
import dev.berth.agent.runtimes.admin.ImageEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth images list`.
@Command(
    name = "list",
    description = "List the images of all image services of the agent on this machine.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {"  berth images list", "  berth images list -o wide     with ids"})
final class ImagesListCommand implements Callable<Integer>, FlagChecks {
  private static final List<String> FORMATS = List.of("", "wide", "json", "yaml");

  @Spec private CommandSpec spec;
  @Mixin private AgentFlags agent;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "",
      description = "wide, json or yaml. Default: a table.")
  private String format = "";

  @Override
  public List<String> mistakes() {
    return FORMATS.contains(format)
        ? List.of()
        : List.of("--output=" + format + ": must be wide, json or yaml");
  }

  @Override
  public Integer call() {
    return agent.askImages(spec.commandLine(), this::print);
  }

  private int print(Images list) {
    switch (format) {
      case "json" -> print(list, JsonMapper.builder().build());
      case "yaml" ->
          print(
              list,
              YAMLMapper.builder()
                  .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                  .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                  .build());
      default -> {
        table(list.images(), format.equals("wide")).forEach(spec.commandLine().getOut()::println);
        list.problems()
            .forEach(problem -> spec.commandLine().getErr().println("Warning: " + problem));
      }
    }
    return ExitCode.OK;
  }

  private void print(Images list, ObjectMapper mapper) {
    try {
      String text =
          mapper
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(Map.of("images", list.images(), "problems", list.problems()));
      spec.commandLine().getOut().println(text.stripTrailing());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> table(List<ImageEntry> images, boolean wide) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        wide ? List.of("IMAGE", "SIZE", "SERVICE", "ID") : List.of("IMAGE", "SIZE", "SERVICE"));
    for (ImageEntry image : images) {
      for (String name : image.names().isEmpty() ? List.of("<none>") : image.names()) {
        String size = String.format(Locale.ROOT, "%.1f MB", image.bytes() / 1e6);
        rows.add(
            wide
                ? List.of(name, size, image.service(), image.id())
                : List.of(name, size, image.service()));
      }
    }
    return Columns.align(rows);
  }
}
