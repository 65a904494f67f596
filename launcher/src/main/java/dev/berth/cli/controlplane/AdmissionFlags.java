package dev.berth.cli.controlplane;

import dev.berth.cli.options.FileFlag;
import dev.berth.cli.options.OptionSection;
import dev.berth.server.admission.AdmissionConfig;
import dev.berth.server.admission.AdmissionConfigFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Flags about admission, read as text and checked.
@OptionSection("Admission")
final class AdmissionFlags {
  private static final String CONFIG_FILE = "--admission-control-config-file";

  @Option(
      names = CONFIG_FILE,
      paramLabel = "FILE",
      description =
          "YAML file of kind AdmissionConfiguration (apiserver.config.k8s.io/v1). Its plugin"
              + " PodSecurity holds the default Pod Security Standard of the cluster and its"
              + " exemptions. Default: privileged, without exemptions.")
  private @Nullable String configFile;

  AdmissionConfig read(List<String> mistakes) {
    List<String> wrong = new ArrayList<>();
    Path file = FileFlag.readable(CONFIG_FILE, configFile, "must be a YAML file", wrong);
    if (file == null || !wrong.isEmpty()) {
      mistakes.addAll(wrong);
      return AdmissionConfig.STANDARD;
    }
    AdmissionConfig config = AdmissionConfigFile.read(file, wrong);
    wrong.forEach(one -> mistakes.add(CONFIG_FILE + "=" + configFile + ": " + one));
    return config;
  }
}
