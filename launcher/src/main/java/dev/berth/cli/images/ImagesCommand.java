package dev.berth.cli.images;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth images`: the images on this machine, and what images in registries have.
@Command(
    name = "images",
    description =
        "List the images of the runtimes on this machine, load images without a registry, and show"
            + " the platforms of an image and where it runs.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ImagesListCommand.class,
      ImagesLoadCommand.class,
      ImagesPlatformsCommand.class,
      ImagesFitCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth images list",
      "  berth images load web.tar",
      "  berth images platforms golang:1",
      "  berth images fit golang:1"
    })
public final class ImagesCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
