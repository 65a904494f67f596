package dev.berth.cli.reports;

import dev.berth.cli.options.FlagChecks;
import dev.berth.cli.options.KubeconfigFlag;
import dev.berth.cli.options.OutputFlag;
import dev.berth.cli.options.TextColumns;
import dev.berth.launch.process.DefaultDataDir;
import dev.berth.launch.reports.CertificateListing;
import dev.berth.launch.reports.KnownCertificate;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth certs`: which certificate expires when.
@Command(
    name = "certs",
    description =
        "List certificates in the order of their expiration: files and kubeconfigs in the data"
            + " directory, and serving certificates of nodes.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {"  berth certs", "  berth certs -o wide    with subject, names and issuer"})
public final class CertsCommand implements Runnable, FlagChecks {
  @Spec private CommandSpec spec;
  @Mixin private KubeconfigFlag kubeconfig;
  @Mixin private OutputFlag output;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "Data directory whose certificate files are listed. Default: the data directory of"
              + " this user.")
  private @Nullable String dataDir;

  @Override
  public List<String> mistakes() {
    return output.mistakes();
  }

  @Override
  public void run() {
    Path directory = dataDir == null ? DefaultDataDir.ofThisUser() : Path.of(dataDir);
    Path config =
        dataDir != null && kubeconfig.given() == null
            ? directory.resolve("admin.kubeconfig")
            : kubeconfig.path();
    List<KnownCertificate> found = CertificateListing.of(directory, config, Clock.systemUTC());
    var out = spec.commandLine().getOut();
    if (output.isTable()) {
      TextColumns.align(table(found, output.isWide())).forEach(out::println);
      out.flush();
    } else {
      output.print(
          Map.of("certificates", found.stream().map(CertsCommand::document).toList()), out);
    }
  }

  private static List<List<String>> table(List<KnownCertificate> found, boolean wide) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        wide
            ? List.of("CERTIFICATE", "EXPIRES", "LEFT", "SUBJECT", "ISSUER", "NAMES")
            : List.of("CERTIFICATE", "EXPIRES", "LEFT"));
    for (KnownCertificate one : found) {
      List<String> row = new ArrayList<>(List.of(one.place(), one.expires(), one.left()));
      if (wide) {
        row.addAll(List.of(one.subject(), one.issuer(), String.join(",", one.names())));
      }
      rows.add(row);
    }
    return rows;
  }

  private static Map<String, Object> document(KnownCertificate one) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("place", one.place());
    document.put("expires", one.expires());
    document.put("left", one.left());
    document.put("subject", one.subject());
    document.put("issuer", one.issuer());
    document.put("names", one.names());
    return document;
  }
}
