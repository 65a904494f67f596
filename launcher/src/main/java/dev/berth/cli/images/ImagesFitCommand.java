package dev.berth.cli.images;

import dev.berth.cli.node.RegistryFlags;
import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.ReportFlags;
import dev.berth.launch.reports.ImageReports;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `berth images fit IMAGE`.
@Command(
    name = "fit",
    description =
        "Show which nodes, handlers and RuntimeClasses of the cluster run an image, which entry"
            + " each of them gets, and why others do not run it.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth images fit golang:1",
      "  berth images fit registry.example.com/web:1 -o wide     with digests"
    })
final class ImagesFitCommand implements Runnable, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private ReportFlags flags;
  @Mixin private RegistryFlags registries;

  @Parameters(paramLabel = "IMAGE", description = "The image, as a pod names it.")
  private String image = "";

  @Override
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>(flags.mistakes());
    registries.read(mistakes);
    return mistakes;
  }

  @Override
  public void run() {
    flags.print(
        ImageReports.fit(flags.kubeconfig.path(), registries.read(new ArrayList<>()), image),
        spec.commandLine().getOut());
  }
}
