package dev.berth.cli.backup;

import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.OutputFlag;
import dev.berth.cli.options.TextColumns;
import dev.berth.launch.backup.BackupListing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth backup list`.
@Command(
    name = "list",
    description = "List the backups in a directory, oldest first.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {"  berth backup list /backups", "  berth backup list /backups -o json"})
final class BackupListCommand implements Runnable, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private OutputFlag output;

  @Parameters(
      paramLabel = "DIR",
      arity = "1",
      description = "Directory that contains backups, or a single backup.")
  private Path directory = Path.of("");

  @Override
  public List<String> mistakes() {
    return output.mistakes();
  }

  @Override
  public void run() {
    List<BackupListing> found = BackupListing.in(directory.toAbsolutePath().normalize());
    if (!output.isTable()) {
      output.print(
          found.stream().map(BackupListCommand::document).toList(), spec.commandLine().getOut());
      return;
    }
    if (found.isEmpty()) {
      spec.commandLine()
          .getOut()
          .println("No backups in %s. `berth backup DIR` creates one.".formatted(directory));
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("NAME", "MADE", "REVISION", "OBJECTS", "SIZE", "FROM"));
    found.forEach(one -> rows.add(row(one)));
    TextColumns.align(rows).forEach(spec.commandLine().getOut()::println);
  }

  private static List<String> row(BackupListing backup) {
    return List.of(
        String.valueOf(backup.path().getFileName()),
        backup.madeAt().toString(),
        Long.toString(backup.revision()),
        Integer.toString(backup.objects()),
        size(backup.bytes()),
        backup.from().isEmpty() ? "-" : backup.from());
  }

  private static Map<String, Object> document(BackupListing backup) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("path", backup.path().toString());
    document.put("madeAt", backup.madeAt().toString());
    document.put("revision", backup.revision());
    document.put("objects", backup.objects());
    document.put("bytes", backup.bytes());
    document.put("from", backup.from());
    return document;
  }

  private static String size(long bytes) {
    return bytes < 10L << 20
        ? "%dKi".formatted((bytes + 1023) >> 10)
        : String.format(Locale.ROOT, "%dMi", (bytes + (1 << 20) - 1) >> 20);
  }
}
