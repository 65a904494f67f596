package dev.berth.cli.node;

import dev.berth.agent.images.CollectionRules;
import dev.berth.agent.images.PullSettings;
import dev.berth.agent.pods.logs.LogRules;
import dev.berth.api.Quantity;
import dev.berth.launch.agent.HousekeepingSettings;
import java.nio.file.Path;
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

  @Option(
      names = "--pod-logs-dir",
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "The logs of all pods, such as /var/log/pods, with links to them in `containers` beside"
              + " it. Default: below the data directory, because a kubelet on the same machine removes"
              + " logs of pods that it does not know.")
  private String podLogs = "";

  @Option(
      names = LARGEST,
      paramLabel = "SIZE",
      defaultValue = "",
      description = "When a container's log is put aside. Default: 10Mi.")
  private String largest = "";

  @Option(
      names = FILES,
      paramLabel = "N",
      defaultValue = "",
      description = "How many files of a container's log are kept. Default: 5.")
  private String files = "";

  @Option(
      names = HIGH,
      paramLabel = "PERCENT",
      defaultValue = "",
      description = "Of a disk in use: from here on unused images are removed. Default: 85.")
  private String high = "";

  @Option(
      names = LOW,
      paramLabel = "PERCENT",
      defaultValue = "",
      description = "Until so much is in use. Default: 80.")
  private String low = "";

  @Option(
      names = AGE,
      paramLabel = "TIME",
      defaultValue = "",
      description = "Younger images stay. Default: 2m.")
  private String age = "";

  @Option(
      names = ONE_BY_ONE,
      paramLabel = "BOOLEAN",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "",
      description = "Whether each image service pulls one image at a time. Default: false.")
  private String oneByOne = "";

  @Option(
      names = PARALLEL,
      paramLabel = "N",
      defaultValue = "",
      description = "How many images each image service pulls at a time. Default: 5.")
  private String parallel = "";

  HousekeepingSettings read(ConfigFile file, List<String> mistakes) {
    String directory = file.value("--pod-logs-dir", podLogs, "");
    return new HousekeepingSettings(
        directory.isEmpty() ? Optional.empty() : Optional.of(Path.of(directory).toAbsolutePath()),
        logs(file, mistakes),
        images(file, mistakes),
        pulls(file, mistakes));
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
