package dev.berth.cli.node;

import dev.berth.agent.pressure.PressureRules;
import dev.berth.agent.pressure.PressureTexts;
import dev.berth.agent.pressure.PressureTexts.Texts;
import dev.berth.cli.options.OptionSection;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/// The flags about eviction, named as the kubelet's.
@OptionSection("Eviction")
final class EvictionFlags {
  private static final String TRANSITION = "--eviction-pressure-transition-period";
  private static final String GRACE = "--eviction-max-pod-grace-period";

  @ConfigKey(value = "evictionHard", shape = ConfigShape.THRESHOLDS)
  @Option(
      names = "--eviction-hard",
      paramLabel = "SIGNAL<N,...",
      defaultValue = "",
      description =
          "Hard eviction thresholds: pods are evicted without grace period as soon as one is"
              + " met. Default:"
              + " memory.available<100Mi,nodefs.available<10%%,nodefs.inodesFree<5%%,imagefs.available<15%%,imagefs.inodesFree<5%%.")
  private String hard = "";

  @ConfigKey(value = "evictionSoft", shape = ConfigShape.THRESHOLDS)
  @Option(
      names = "--eviction-soft",
      paramLabel = "SIGNAL<N,...",
      defaultValue = "",
      description =
          "Soft eviction thresholds: pods are evicted when one is met for longer than its"
              + " --eviction-soft-grace-period.")
  private String soft = "";

  @ConfigKey(value = "evictionSoftGracePeriod", shape = ConfigShape.TIMES)
  @Option(
      names = "--eviction-soft-grace-period",
      paramLabel = "SIGNAL=TIME,...",
      defaultValue = "",
      description =
          "Time for which each soft eviction threshold must be met before pods are evicted,"
              + " such as memory.available=1m30s.")
  private String graces = "";

  @ConfigKey(value = "evictionMinimumReclaim", shape = ConfigShape.RECLAIMS)
  @Option(
      names = "--eviction-minimum-reclaim",
      paramLabel = "SIGNAL=N,...",
      defaultValue = "",
      description =
          "Minimum amount of a resource that an eviction reclaims beyond its threshold, such as"
              + " memory.available=100Mi.")
  private String reclaims = "";

  @ConfigKey("evictionPressureTransitionPeriod")
  @Option(
      names = TRANSITION,
      paramLabel = "TIME",
      defaultValue = "",
      description =
          "Time for which the node reports a pressure condition after the last eviction"
              + " threshold was met. Default: 5m.")
  private String transition = "";

  @ConfigKey(value = "evictionMaxPodGracePeriod", shape = ConfigShape.NUMBER)
  @Option(
      names = GRACE,
      paramLabel = "SECONDS",
      defaultValue = "",
      description =
          "Maximum grace period in seconds of pods that are evicted because of a soft eviction"
              + " threshold. Default: 0.")
  private String grace = "";

  PressureRules read(ConfigFile file, List<String> mistakes) {
    Texts texts =
        new Texts(
            file.value("--eviction-hard", hard, ""),
            file.value("--eviction-soft", soft, ""),
            file.value("--eviction-soft-grace-period", graces, ""),
            file.value("--eviction-minimum-reclaim", reclaims, ""));
    String period = file.value(TRANSITION, transition, "5m");
    NodeFlagReader reader = new NodeFlagReader(mistakes);
    Duration shown = reader.time(TRANSITION, period, "5m");
    int longest = reader.number(GRACE, file.value(GRACE, grace, "0"));
    return new PressureRules(
        new PressureTexts(mistakes).thresholds(texts), shown, Duration.ofSeconds(longest));
  }
}
