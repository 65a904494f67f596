package dev.berth.cli.backup;

import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.OutputFlag;
import dev.berth.cli.options.TextColumns;
import dev.berth.launch.backup.BackupContents;
import dev.berth.launch.backup.BackupContents.Item;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth backup show`.
@Command(
    name = "show",
    description = {
      "Show the contents of a backup; nothing is started or changed.",
      "Without a kind, the command prints the number of objects per kind; with a kind, its objects;",
      "with a name, that object as YAML."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth backup show /backups/berth-1",
      "  berth backup show /backups/berth-1 pods -n web",
      "  berth backup show /backups/berth-1 deployment shop -n web | kubectl apply -f -"
    })
final class BackupShowCommand implements Runnable, FlagChecks {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "BACKUP", description = "Directory of the backup.")
  private Path backup = Path.of("");

  @Parameters(
      index = "1..*",
      arity = "0..2",
      paramLabel = "KIND [NAME]",
      description = "Kind (plural, singular or short name), and name of an object.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      defaultValue = "",
      description =
          "Namespace whose objects are shown. Default: all namespaces; for a single object,"
              + " default.")
  private String namespace = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "yaml",
      description = "Output format of a single object: yaml or json. Default: ${DEFAULT-VALUE}.")
  private String format = "";

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>();
    if (!List.of("yaml", "json").contains(format)) {
      mistakes.add("--output=" + format + ": must be yaml or json");
    }
    if (words.size() > 2) {
      mistakes.add(String.join(" ", words) + ": must be a kind, or a kind and a name");
    }
    return mistakes;
  }

  @Override
  public void run() {
    BackupContents contents = BackupContents.read(backup.toAbsolutePath().normalize());
    switch (words.size()) {
      case 0 -> print(counts(contents.items()));
      case 1 -> print(table(contents.items(words.getFirst(), namespace)));
      default ->
          OutputFlag.print(
              contents.object(
                  words.getFirst(), namespace.isEmpty() ? "default" : namespace, words.get(1)),
              format,
              spec.commandLine().getOut());
    }
  }

  private List<List<String>> counts(List<Item> items) {
    Map<List<String>, Integer> counts = new LinkedHashMap<>();
    items.stream()
        .filter(item -> namespace.isEmpty() || item.namespace().equals(namespace))
        .forEach(
            item ->
                counts.merge(List.of(item.resource(), orDash(item.namespace())), 1, Integer::sum));
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("RESOURCE", "NAMESPACE", "OBJECTS"));
    counts.forEach(
        (key, count) -> rows.add(List.of(key.getFirst(), key.get(1), Integer.toString(count))));
    return rows;
  }

  private static List<List<String>> table(List<Item> items) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NAMESPACE", "NAME", "REVISION"));
    items.forEach(
        item ->
            rows.add(
                List.of(orDash(item.namespace()), item.name(), Long.toString(item.revision()))));
    return rows;
  }

  private static String orDash(String namespace) {
    return namespace.isEmpty() ? "-" : namespace;
  }

  private void print(List<List<String>> rows) {
    TextColumns.align(rows).forEach(spec.commandLine().getOut()::println);
  }
}
