package dev.berth.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A field of the configuration file, and the flag that it stands for.
///
/// @param shape in words, for messages
/// @param reader its text as the flag takes it; empty for a value of another shape
public record ConfigField(String flag, String shape, Reader reader) {
  public interface Reader {
    Optional<String> read(JsonNode value);
  }

  static final Map<String, ConfigField> ALL = new TreeMap<>();

  /// Those of a node without a process of its own: `berth up` connects it to its API server.
  public static final Set<String> OF_NODES;

  static {
    text("clusterDomain", "--cluster-domain");
    text("resolvConf", "--resolv-conf");
    text("staticPodPath", "--pod-manifest-path");
    text("cgroupRoot", "--cgroup-root");
    text("cgroupDriver", "--cgroup-driver");
    text("containerRuntimeEndpoint", "--container-runtime-endpoint");
    text("imageServiceEndpoint", "--image-service-endpoint");
    text("readinessPolicy", "--readiness-policy");
    text("unresolvedRuntimePolicy", "--unresolved-runtime-policy");
    text("evictionPressureTransitionPeriod", "--eviction-pressure-transition-period");
    text("podLogsDir", "--pod-logs-dir");
    text("containerLogMaxSize", "--container-log-max-size");
    text("imageMinimumGCAge", "--minimum-image-ttl-duration");
    text("tlsCertFile", "--tls-cert-file");
    text("tlsPrivateKeyFile", "--tls-private-key-file");
    numeric("port", "--port");
    numeric("containerLogMaxFiles", "--container-log-max-files");
    numeric("imageGCHighThresholdPercent", "--image-gc-high-threshold");
    numeric("imageGCLowThresholdPercent", "--image-gc-low-threshold");
    numeric("maxParallelImagePulls", "--max-parallel-image-pulls");
    numeric("evictionMaxPodGracePeriod", "--eviction-max-pod-grace-period");
    numeric("maxPods", "--max-pods");
    thresholds("evictionHard", "--eviction-hard", "<");
    thresholds("evictionSoft", "--eviction-soft", "<");
    thresholds("evictionMinimumReclaim", "--eviction-minimum-reclaim", "=");
    ALL.put(
        "evictionSoftGracePeriod",
        new ConfigField(
            "--eviction-soft-grace-period",
            "a map such as {memory.available: 1m30s}",
            value -> map(value, "=")));
    bool("cgroupsPerQOS", "--cgroups-per-qos");
    bool("singleProcessOOMKill", "--single-process-oom-kill");
    bool("serializeImagePulls", "--serialize-image-pulls");
    bool("rotateCertificates", "--rotate-certificates");
    bool("serverTLSBootstrap", "--rotate-server-certificates");
    ALL.put(
        "clusterDNS", new ConfigField("--cluster-dns", "a list of addresses", ConfigField::list));
    ALL.put(
        "allowedUnsafeSysctls",
        new ConfigField(
            "--allowed-unsafe-sysctls", "a list such as [kernel.msg*]", ConfigField::list));
    ALL.put(
        "systemReserved",
        new ConfigField(
            "--system-reserved", "a map such as {cpu: 500m}", value -> map(value, "=")));
    ALL.put(
        "kubeReserved",
        new ConfigField("--kube-reserved", "a map such as {cpu: 500m}", value -> map(value, "=")));
    ALL.put(
        "registerWithTaints",
        new ConfigField(
            "--register-with-taints",
            "a list such as [{key: gpu, value: \"yes\", effect: NoSchedule}]",
            ConfigField::taints));
    Set<String> ofNodes = new TreeSet<>(ALL.keySet());
    ofNodes.removeAll(
        List.of(
            "port",
            "rotateCertificates",
            "serverTLSBootstrap",
            "tlsCertFile",
            "tlsPrivateKeyFile"));
    OF_NODES = Collections.unmodifiableSet(ofNodes);
  }

  private static void text(String name, String flag) {
    ALL.put(
        name,
        new ConfigField(
            flag,
            "text",
            value -> value.isTextual() ? Optional.of(value.asText()) : Optional.empty()));
  }

  private static void numeric(String name, String flag) {
    ALL.put(name, new ConfigField(flag, "a number", ConfigField::number));
  }

  private static void bool(String name, String flag) {
    ALL.put(name, new ConfigField(flag, "true or false", ConfigField::yesNo));
  }

  private static void thresholds(String name, String flag, String sign) {
    ALL.put(
        name,
        new ConfigField(
            flag, "a map such as {memory.available: 100Mi}", value -> map(value, sign)));
  }

  Optional<String> text(JsonNode value) {
    return reader.read(value);
  }

  private static Optional<String> number(JsonNode value) {
    return value.isIntegralNumber() ? Optional.of(value.asText()) : Optional.empty();
  }

  private static Optional<String> yesNo(JsonNode value) {
    return value.isBoolean() ? Optional.of(value.asText()) : Optional.empty();
  }

  private static Optional<String> list(JsonNode value) {
    return value.isArray()
        ? Optional.of(value.valueStream().map(JsonNode::asText).collect(Collectors.joining(",")))
        : Optional.empty();
  }

  private static Optional<String> map(JsonNode value, String sign) {
    return value.isObject()
        ? Optional.of(
            value
                .propertyStream()
                .map(entry -> entry.getKey() + sign + entry.getValue().asText())
                .collect(Collectors.joining(",")))
        : Optional.empty();
  }

  private static Optional<String> taints(JsonNode value) {
    return value.isArray()
        ? Optional.of(
            value
                .valueStream()
                .map(
                    taint ->
                        "%s=%s:%s"
                            .formatted(
                                taint.path("key").asText(),
                                taint.path("value").asText(),
                                taint.path("effect").asText()))
                .collect(Collectors.joining(",")))
        : Optional.empty();
  }
}
