package dev.berth.cli.controlplane;

import dev.berth.cli.options.FileFlag;
import dev.berth.cli.options.OptionSection;
import dev.berth.registry.RegistrySettings;
import dev.berth.server.admission.images.SteeringMode;
import dev.berth.server.admission.images.SteeringSettings;
import dev.berth.server.admission.plugins.AdmissionConfig;
import dev.berth.server.admission.plugins.AdmissionConfigFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Flags about admission, read as text and checked.
@OptionSection("Admission")
final class AdmissionFlags {
  private static final String CONFIG_FILE = "--admission-control-config-file";

  private static final String STEERING = "--image-steering";
  private static final String STEERING_LIMIT = "--image-steering-timeout";
  private static final String STEERING_FAILURE = "--image-steering-failure";
  private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s)");
  private static final Duration LONGEST = Duration.ofSeconds(10);

  @Option(
      names = CONFIG_FILE,
      paramLabel = "FILE",
      description =
          "YAML file of kind AdmissionConfiguration (apiserver.config.k8s.io/v1). Its plugin"
              + " PodSecurity holds the default Pod Security Standard of the cluster and its"
              + " exemptions. Default: privileged, without exemptions.")
  private @Nullable String configFile;

  @Option(
      names = STEERING,
      paramLabel = "MODE",
      defaultValue = "off",
      description =
          "Steering of pods by the platforms of their images, in namespaces without the label"
              + " images.berth.dev/steering: off, refuse (reject pods that no node could run) or"
              + " select (also narrow the node selector, or set a RuntimeClass). Default:"
              + " ${DEFAULT-VALUE}.")
  private String steering = "";

  @Option(
      names = STEERING_LIMIT,
      paramLabel = "TIME",
      defaultValue = "3s",
      description =
          "Maximum time that the creation of a pod waits for image registries, such as 500ms or"
              + " 3s; at most 10s. Default: ${DEFAULT-VALUE}.")
  private String steeringLimit = "";

  @Option(
      names = STEERING_FAILURE,
      paramLabel = "POLICY",
      defaultValue = "allow",
      description =
          "What happens to a pod to be steered whose images cannot be looked up in time: allow"
              + " (with a warning) or refuse. Default: ${DEFAULT-VALUE}.")
  private String steeringFailure = "";

  AdmissionConfig read(Supplier<RegistrySettings> registries, List<String> mistakes) {
    SteeringSettings images = readSteering(mistakes).with(registries);
    return readFile(mistakes).with(images);
  }

  private SteeringSettings readSteering(List<String> mistakes) {
    Optional<SteeringMode> mode = SteeringMode.of(steering);
    if (mode.isEmpty()) {
      mistakes.add("%s=%s: must be one of %s".formatted(STEERING, steering, SteeringMode.KNOWN));
    }
    Matcher time = TIME.matcher(steeringLimit);
    long number = time.matches() ? Long.parseLong(time.group(1)) : 0;
    Duration limit =
        time.matches() && time.group(2).equals("s")
            ? Duration.ofSeconds(number)
            : Duration.ofMillis(number);
    if (!limit.isPositive() || limit.compareTo(LONGEST) > 0) {
      mistakes.add(
          "%s=%s: must be a time up to 10s, such as 500ms or 3s"
              .formatted(STEERING_LIMIT, steeringLimit));
    }
    if (!List.of("allow", "refuse").contains(steeringFailure)) {
      mistakes.add("%s=%s: must be allow or refuse".formatted(STEERING_FAILURE, steeringFailure));
    }
    return new SteeringSettings(
        mode.orElse(SteeringMode.OFF), limit, steeringFailure.equals("refuse"));
  }

  private AdmissionConfig readFile(List<String> mistakes) {
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
