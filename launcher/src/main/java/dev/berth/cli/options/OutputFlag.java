package dev.berth.cli.options;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Option;

/// How a command prints what it found.
public final class OutputFlag {
  private static final List<String> FORMATS = List.of("", "wide", "json", "yaml");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "",
      description = "Output format: wide, json or yaml. Default: a table.")
  private String format = "";

  public List<String> mistakes() {
    return FORMATS.contains(format)
        ? List.of()
        : List.of("--output=" + format + ": must be wide, json or yaml");
  }

  public boolean isTable() {
    return format.isEmpty() || format.equals("wide");
  }

  public boolean isWide() {
    return format.equals("wide");
  }

  /// Prints a document in the format that was asked for, if that is not a table.
  public void print(Object content, PrintWriter out) {
    print(content, format, out);
  }

  /// Prints a document as YAML or JSON.
  ///
  /// @param format `yaml`; anything else is JSON
  public static void print(Object content, String format, PrintWriter out) {
    ObjectMapper mapper = format.equals("yaml") ? yaml() : JsonMapper.builder().build();
    try {
      out.println(
          mapper.writerWithDefaultPrettyPrinter().writeValueAsString(content).stripTrailing());
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what was found can always be written", e);
    }
  }

  private static YAMLMapper yaml() {
    return YAMLMapper.builder()
        .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
        .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
        .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
        .build();
  }
}
