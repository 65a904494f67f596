package dev.berth.cli.images;

import dev.berth.cli.node.RegistryFlags;
import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.OutputFlag;
import dev.berth.launch.reports.CommandReport;
import dev.berth.launch.reports.ImageReports;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth images platforms IMAGE`.
@Command(
    name = "platforms",
    description =
        "List the entries of an image in its registry: platform, digest and size of the manifest."
            + " The credentials of `docker login` are used.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth images platforms golang:1",
      "  berth images platforms registry.example.com/web:1 -o json"
    })
final class ImagesPlatformsCommand implements Runnable, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private OutputFlag output;
  @Mixin private RegistryFlags registries;

  @Parameters(paramLabel = "IMAGE", description = "The image, as a pod names it.")
  private String image = "";

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(output.mistakes());
    registries.read(mistakes);
    return mistakes;
  }

  @Override
  public void run() {
    CommandReport report = ImageReports.platforms(registries.read(new ArrayList<>()), image);
    if (output.isTable()) {
      spec.commandLine().getOut().print(report.table(output.isWide()));
      spec.commandLine().getOut().flush();
    } else {
      output.print(report.document(), spec.commandLine().getOut());
    }
  }
}
