package dev.berth.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.agent.pressure.PressureTexts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Fields of a KubeletConfiguration that no flag stands for. Each is accepted with the values that
/// describe what the agent does anyway, and with zero, which stands for the default.
final class FixedFields {
  /// Paths, and the values besides zero.
  private static final String TABLE =
      """
      address
      authentication.anonymous.enabled                  false
      authentication.webhook.cacheTTL                   2m
      authentication.webhook.enabled                    true
      authorization.mode                                Webhook
      authorization.webhook.cacheAuthorizedTTL          5m
      authorization.webhook.cacheUnauthorizedTTL        30s
      cpuCFSQuota                                       true
      cpuCFSQuotaPeriod                                 100ms
      cpuManagerPolicy                                  none
      cpuManagerPolicyOptions
      cpuManagerReconcilePeriod                         10s
      crashLoopBackOff.maxContainerRestartPeriod        5m
      enableDebuggingHandlers                           true
      enableServer                                      true
      enforceNodeAllocatable                            pods
      failSwapOn                                        false
      featureGates
      fileCheckFrequency                                1s
      httpCheckFrequency                                20s
      imageMaximumGCAge
      kubeReservedCgroup
      kubeletCgroups
      logging.flushFrequency                            5s 5000000000
      logging.format                                    text
      logging.options.json.infoBufferSize
      logging.options.json.splitStream                  false
      logging.options.text.infoBufferSize
      logging.options.text.splitStream                  false
      logging.verbosity
      logging.vmodule
      memoryManagerPolicy                               None
      memorySwap.swapBehavior                           NoSwap
      mergeDefaultEvictionSettings                      false
      nodeLeaseDurationSeconds                          40
      nodeStatusReportFrequency                         5m
      nodeStatusUpdateFrequency                         10s
      podCIDR
      podPidsLimit                                      -1
      podsPerCore
      protectKernelDefaults                             false
      providerID
      readOnlyPort
      registerNode                                      true
      reservedMemory
      reservedSystemCPUs
      runtimeRequestTimeout                             2m
      seccompDefault                                    false
      shutdownGracePeriod
      shutdownGracePeriodByPodPriority
      shutdownGracePeriodCriticalPods
      staticPodURL
      staticPodURLHeader
      streamingConnectionIdleTimeout                    4h
      syncFrequency
      systemCgroups
      systemReservedCgroup
      tlsCipherSuites
      tlsMinVersion
      topologyManagerPolicy                             none
      topologyManagerPolicyOptions
      topologyManagerScope                              container
      tracing
      volumePluginDir
      volumeStatsAggPeriod
      """;

  private static final Map<String, List<String>> ACCEPTED =
      TABLE
          .lines()
          .map(line -> line.split(" +", -1))
          .collect(
              Collectors.toMap(
                  words -> words[0],
                  words -> List.of(words).subList(1, words.length),
                  (_, second) -> second,
                  TreeMap::new));

  private FixedFields() {}

  static Collection<String> paths() {
    return ACCEPTED.keySet();
  }

  /// What is wrong with the value of one of the paths.
  static Optional<String> mistake(String path, JsonNode value) {
    List<String> accepted = ACCEPTED.getOrDefault(path, List.of());
    if (isZero(value) || accepted.stream().anyMatch(one -> isSame(one, text(value)))) {
      return Optional.empty();
    }
    String rule =
        accepted.isEmpty()
            ? "the agent has only its default, remove the field"
            : "the agent accepts only " + String.join(" or ", accepted);
    return Optional.of("`%s` is %s; %s".formatted(path, text(value), rule));
  }

  /// As in Go, where a field without a value is the same as one with zero. `false` is a value: most
  /// switches are true by default.
  static boolean isZero(JsonNode value) {
    return value.isNull()
        || (value.isContainerNode() && value.isEmpty())
        || (value.isNumber() && value.asDouble() == 0)
        || (value.isTextual() && isZeroText(value.asText()));
  }

  private static boolean isZeroText(String text) {
    return text.isEmpty() || PressureTexts.duration(text).filter(Duration::isZero).isPresent();
  }

  private static boolean isSame(String accepted, String given) {
    Optional<Duration> time = PressureTexts.duration(given);
    return accepted.equals(given)
        || (time.isPresent() && time.equals(PressureTexts.duration(accepted)));
  }

  private static String text(JsonNode value) {
    if (!value.isArray()) {
      return value.isValueNode() ? value.asText() : value.toString();
    }
    List<String> all = new ArrayList<>();
    value.forEach(one -> all.add(text(one)));
    return String.join(",", all);
  }
}
