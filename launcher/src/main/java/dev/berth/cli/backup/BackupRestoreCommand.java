package dev.berth.cli.backup;

import dev.berth.launch.backup.BackupDirectory;
import dev.berth.launch.process.DefaultDataDir;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth backup restore`.
@Command(
    name = "restore",
    description = {
      "Create a data directory from a backup. The backup is checked first and is not changed.",
      "A data directory that is not empty is never overwritten."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth backup restore /backups/berth-1 --data-dir /var/lib/berth",
      "  berth up --data-dir /var/lib/berth"
    })
final class BackupRestoreCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "BACKUP", arity = "1", description = "Directory of the backup.")
  private Path backup = Path.of("");

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "Data directory to create; it must be empty or not exist. Default: the data directory"
              + " of this user.")
  private String dataDir = "";

  @Override
  public void run() {
    Path target =
        dataDir.isEmpty()
            ? DefaultDataDir.ofThisUser()
            : Path.of(dataDir).toAbsolutePath().normalize();
    BackupDirectory source = new BackupDirectory(backup.toAbsolutePath().normalize());
    spec.commandLine().getOut().println(source.restore(target));
    spec.commandLine()
        .getOut()
        .println("Start it with `berth up --data-dir %s`, or `berth server`.".formatted(target));
  }
}
