package dev.berth.cli.backup;

import dev.berth.cli.options.FlagChecks;
import dev.berth.launch.backup.BackupDirectory;
import dev.berth.launch.process.DefaultDataDir;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth backup`: creates a backup of a data directory.
@Command(
    name = "backup",
    description = {
      "Back up the objects and keys of a data directory; list, show and restore backups.",
      "`berth up` or `berth server` can keep running. A backup also contains the registered runtime",
      "services, and is as confidential as the data directory."
    },
    subcommands = {BackupListCommand.class, BackupShowCommand.class, BackupRestoreCommand.class},
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth backup /backups/berth-$(date +%%F)",
      "  berth backup list /backups",
      "  berth backup show /backups/berth-2026-01-31 pods",
      "  berth backup restore /backups/berth-2026-01-31 --data-dir /var/lib/berth"
    })
public final class BackupCommand implements Runnable, FlagChecks {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      description =
          "Directory to create. Write ./list for a directory that is named like a subcommand.")
  private @Nullable Path directory;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "",
      description = "Data directory to back up. Default: the data directory of this user.")
  private String dataDir = "";

  @Override
  public List<String> mistakes() {
    return directory == null
        ? List.of(
            "DIR is missing: name the directory to create, or a command (list, show, restore)")
        : List.of();
  }

  @Override
  public void run() {
    Path source =
        dataDir.isEmpty()
            ? DefaultDataDir.ofThisUser()
            : Path.of(dataDir).toAbsolutePath().normalize();
    Path target = Objects.requireNonNull(directory).toAbsolutePath().normalize();
    spec.commandLine().getOut().println(new BackupDirectory(target).fill(source));
  }
}
