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
      "Make a data directory of a backup. The backup is read and checked first, and stays as it is;",
      "a data directory that has anything in it is never overwritten."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth backup restore /backups/berth-1 --data-dir /var/lib/berth",
      "  berth up --data-dir /var/lib/berth"
    })
final class BackupRestoreCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "BACKUP", arity = "1", description = "The directory of the backup.")
  private Path backup = Path.of("");

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "",
      description = "Where to; must be empty or missing. Default: that of this user's server.")
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
