package dev.berth.cli.node;

import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.images.PullSettings;
import dev.berth.agent.images.access.VerificationPolicy;
import dev.berth.agent.images.access.VerificationRules;
import dev.berth.agent.pods.HousekeepingSettings;
import dev.berth.agent.pods.logs.LogRules;
import dev.berth.api.Quantity;
import dev.berth.cli.options.OptionSection;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/// The flags about a node's logs and images, named as the kubelet's.
final class HousekeepingFlags {
  private static final String LARGEST = "--container-log-max-size";
  private static final String FILES = "--container-log-max-files";
  private static final String HIGH = "--image-gc-high-threshold";
  private static final String LOW = "--image-gc-low-threshold";
  private static final String AGE = "--minimum-image-ttl-duration";
  private static final String ONE_BY_ONE = "--serialize-image-pulls";
  private static final String PARALLEL = "--max-parallel-image-pulls";
  private static final String VERIFY = "--image-pull-credentials-verification-policy";
  private static final String ALLOWLIST = "--preloaded-images-verification-allowlist";

  @OptionSection("Log")
  @ConfigKey("podLogsDir")
  @Option(
      names = "--pod-logs-dir",
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "Directory of the logs of all pods, such as /var/log/pods. The agent links to the"
              + " logs in the directory `containers` beside it. Default: a directory below the data"
              + " directory, because a kubelet on the same machine removes logs of pods that it does"
              + " not know.")
  private String podLogs = "";

  @OptionSection("Log")
  @ConfigKey("containerLogMaxSize")
  @Option(
      names = LARGEST,
      paramLabel = "SIZE",
      defaultValue = "",
      description = "Maximum size of a container log file before it is rotated. Default: 10Mi.")
  private String largest = "";

  @OptionSection("Log")
  @ConfigKey(value = "containerLogMaxFiles", shape = ConfigShape.NUMBER)
  @Option(
      names = FILES,
      paramLabel = "N",
      defaultValue = "",
      description = "Maximum number of log files per container. Default: 5.")
  private String files = "";

  @OptionSection("Image")
  @ConfigKey(value = "imageGCHighThresholdPercent", shape = ConfigShape.NUMBER)
  @Option(
      names = HIGH,
      paramLabel = "PERCENT",
      defaultValue = "",
      description = "Disk usage (percent) at which image garbage collection starts. Default: 85.")
  private String high = "";

  @OptionSection("Image")
  @ConfigKey(value = "imageGCLowThresholdPercent", shape = ConfigShape.NUMBER)
  @Option(
      names = LOW,
      paramLabel = "PERCENT",
      defaultValue = "",
      description = "Disk usage (percent) at which image garbage collection stops. Default: 80.")
  private String low = "";

  @OptionSection("Image")
  @ConfigKey("imageMinimumGCAge")
  @Option(
      names = AGE,
      paramLabel = "TIME",
      defaultValue = "",
      description = "Minimum age of an unused image before it is garbage collected. Default: 2m.")
  private String age = "";

  @OptionSection("Image")
  @ConfigKey(value = "serializeImagePulls", shape = ConfigShape.BOOLEAN)
  @Option(
      names = ONE_BY_ONE,
      paramLabel = "BOOLEAN",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "",
      description = "Pull one image at a time from each image service. Default: false.")
  private String oneByOne = "";

  @OptionSection("Image")
  @ConfigKey(value = "maxParallelImagePulls", shape = ConfigShape.NUMBER)
  @Option(
      names = PARALLEL,
      paramLabel = "N",
      defaultValue = "",
      description =
          "Maximum number of images that are pulled in parallel from each image service."
              + " Default: 5.")
  private String parallel = "";

  @OptionSection("Image")
  @ConfigKey("imagePullCredentialsVerificationPolicy")
  @Option(
      names = VERIFY,
      paramLabel = "POLICY",
      defaultValue = "",
      description =
          "Images for which a pod must prove that its pull secrets give access, although the image"
              + " is present: NeverVerify (none), NeverVerifyPreloadedImages (all that the agent"
              + " pulled), NeverVerifyAllowlistedImages (all but preloaded ones of the allowlist),"
              + " AlwaysVerify. Default: NeverVerifyPreloadedImages.")
  private String verify = "";

  @OptionSection("Image")
  @ConfigKey(value = "preloadedImagesVerificationAllowlist", shape = ConfigShape.PATTERNS)
  @Option(
      names = ALLOWLIST,
      paramLabel = "REPOSITORY[,...]",
      defaultValue = "",
      description =
          "Repositories of preloaded images that every pod can use, with the policy"
              + " NeverVerifyAllowlistedImages; registry.example/team/* stands for all below.")
  private String allowlist = "";

  HousekeepingSettings read(ConfigFile file, List<String> mistakes) {
    String directory = file.value("--pod-logs-dir", podLogs, "");
    return new HousekeepingSettings(
        directory.isEmpty() ? Optional.empty() : Optional.of(Path.of(directory).toAbsolutePath()),
        logs(file, mistakes),
        images(file, mistakes),
        pulls(file, mistakes),
        verification(file, mistakes));
  }

  private LogRules logs(ConfigFile file, List<String> mistakes) {
    String size = file.value(LARGEST, largest, "10Mi");
    long bytes = Quantity.parse(size).map(Quantity::value).orElse(0L);
    if (bytes <= 0) {
      mistakes.add("%s=%s: must be a size such as 10Mi".formatted(LARGEST, size));
    }
    String kept = file.value(FILES, files, "5");
    int count = new NodeFlagReader(mistakes).number(FILES, kept, 2, Integer.MAX_VALUE);
    return new LogRules(bytes, count, LogRules.STANDARD.period());
  }

  private CollectionRules images(ConfigFile file, List<String> mistakes) {
    NodeFlagReader reader = new NodeFlagReader(mistakes);
    int from = reader.number(HIGH, file.value(HIGH, high, "85"), 0, 100);
    int to = reader.number(LOW, file.value(LOW, low, "80"), 0, 100);
    if (to >= from) {
      mistakes.add("%s=%d: must be less than %s (%d)".formatted(LOW, to, HIGH, from));
    }
    String least = file.value(AGE, age, "2m");
    return new CollectionRules(
        from, to, reader.time(AGE, least, "2m"), CollectionRules.STANDARD.period());
  }

  private VerificationRules verification(ConfigFile file, List<String> mistakes) {
    String word = file.value(VERIFY, verify, VerificationRules.STANDARD.policy().toString());
    Optional<VerificationPolicy> policy = VerificationPolicy.of(word);
    if (policy.isEmpty()) {
      mistakes.add(
          "%s=%s: must be %s"
              .formatted(VERIFY, word, String.join(", ", VerificationPolicy.words())));
    }
    List<String> free =
        Arrays.stream(file.value(ALLOWLIST, allowlist, "").split(",", -1))
            .filter(one -> !one.isEmpty())
            .toList();
    boolean usesList = policy.equals(Optional.of(VerificationPolicy.NEVER_VERIFY_ALLOWLISTED));
    if (!free.isEmpty() && !usesList) {
      mistakes.add(
          "%s=%s: has no effect without %s=%s"
              .formatted(
                  ALLOWLIST,
                  String.join(",", free),
                  VERIFY,
                  VerificationPolicy.NEVER_VERIFY_ALLOWLISTED));
    }
    return new VerificationRules(policy.orElse(VerificationRules.STANDARD.policy()), free);
  }

  private int pulls(ConfigFile file, List<String> mistakes) {
    String serial = file.value(ONE_BY_ONE, oneByOne, "");
    if (!List.of("", "true", "false").contains(serial)) {
      mistakes.add("%s=%s: must be true or false".formatted(ONE_BY_ONE, serial));
    }
    boolean isSerial = serial.equals("true");
    String usual = isSerial ? "1" : Integer.toString(PullSettings.PARALLEL);
    String most = file.value(PARALLEL, parallel, usual);
    int count = new NodeFlagReader(mistakes).number(PARALLEL, most, 1, Integer.MAX_VALUE);
    if (isSerial && count > 1) {
      mistakes.add("%s=%d: must be 1 with %s=true".formatted(PARALLEL, count, ONE_BY_ONE));
    }
    return count;
  }
}
