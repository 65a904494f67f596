package dev.berth.cli.images;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth images`: the images on this machine.
@Command(
    name = "images",
    description =
        "List the images of the runtimes on this machine, and load images without a registry.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ImagesListCommand.class, ImagesLoadCommand.class},
    footerHeading = "%nExamples:%n",
    footer = {"  berth images list", "  berth images load web.tar"})
public final class ImagesCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
