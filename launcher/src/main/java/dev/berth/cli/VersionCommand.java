package dev.berth.cli;

import dev.berth.cli.options.BuildVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth version`.
@Command(
    name = "version",
    description = "Print the version of Berth and of the Java runtime.",
    footerHeading = "%nExample:%n",
    footer = "  berth version")
final class VersionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine()
        .getOut()
        .println("berth " + BuildVersion.text() + ", Java " + Runtime.version());
  }
}
