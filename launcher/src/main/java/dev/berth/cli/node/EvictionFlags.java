package dev.berth.cli.node;

import dev.berth.agent.pressure.PressureRules;
import dev.berth.agent.pressure.PressureTexts;
import dev.berth.agent.pressure.PressureTexts.Texts;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/// The flags about a node that runs short of something, named as the kubelet's.
final class EvictionFlags {
  private static final String TRANSITION = "--eviction-pressure-transition-period";
  private static final String GRACE = "--eviction-max-pod-grace-period";

  @Option(
      names = "--eviction-hard",
      paramLabel = "SIGNAL<N,...",
      defaultValue = "",
      description =
          "Below these pods are evicted at once. Default: memory.available<100Mi,"
              + "nodefs.available<10%%,nodefs.inodesFree<5%%,imagefs.available<15%%,"
              + "imagefs.inodesFree<5%%.")
  private String hard = "";

  @Option(
      names = "--eviction-soft",
      paramLabel = "SIGNAL<N,...",
      defaultValue = "",
      description = "Below these pods are evicted when that lasts.")
  private String soft = "";

  @Option(
      names = "--eviction-soft-grace-period",
      paramLabel = "SIGNAL=TIME,...",
      defaultValue = "",
      description = "How long that may last, for each of them.")
  private String graces = "";

  @Option(
      names = "--eviction-minimum-reclaim",
      paramLabel = "SIGNAL=N,...",
      defaultValue = "",
      description = "So much more is to be free before pods are no longer evicted.")
  private String reclaims = "";

  @Option(
      names = TRANSITION,
      paramLabel = "TIME",
      defaultValue = "",
      description = "How long the node shows pressure after it was last there. Default: 5m.")
  private String transition = "";

  @Option(
      names = GRACE,
      paramLabel = "SECONDS",
      defaultValue = "",
      description = "What pods get at most to end at a soft threshold. Default: 0.")
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
