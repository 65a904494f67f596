package dev.berth.cli;

import dev.berth.launch.BackupFolder;
import dev.berth.launch.DataHome;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth backup`: copies what cannot be made again.
@Command(
    name = "backup",
    description = {
      "Copy the objects, keys and registered runtimes of a data folder to a new folder.",
      "`berth up` or `berth server` may go on meanwhile. The copy is a data folder itself and as",
      "secret."
    },
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth backup /backups/berth-$(date +%%F)",
      "  berth up --data-dir /backups/berth-2026-01-31    a server with what was saved",
      "Back into the old data folder: docs/backup.md."
    })
final class BackupCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FOLDER", arity = "1", description = "Where to; it must not exist yet.")
  private Path folder = Path.of("");

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "",
      description = "That of the server. Default: that of this user's.")
  private String dataDir = "";

  @Override
  public void run() {
    Path source =
        dataDir.isEmpty() ? DataHome.ofThisUser() : Path.of(dataDir).toAbsolutePath().normalize();
    Path target = folder.toAbsolutePath().normalize();
    spec.commandLine().getOut().println(new BackupFolder(target).fill(source));
  }
}
