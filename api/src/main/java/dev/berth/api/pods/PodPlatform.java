package dev.berth.api.pods;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.platforms.WindowsRule;
import dev.berth.api.platforms.WindowsVersion;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The platform that a pod requires: `spec.os.name`, `spec.osversion` and `spec.architecture`.
/// Empty text means any.
///
/// @param osVersion such as `10.0.17763` or `10.0.17763.805`; the last part, monthly updates, does
///   not matter
/// @param architecture as in image indexes, such as `amd64`
public record PodPlatform(String os, String osVersion, String architecture) {
  public static final String OS_LABEL = "kubernetes.io/os";
  public static final String ARCHITECTURE_LABEL = "kubernetes.io/arch";
  public static final String BUILD_LABEL = "node.kubernetes.io/windows-build";

  /// The field of a pod's `spec` with the version of the operating system.
  public static final String VERSION_FIELD = "osversion";

  /// The field of a pod's `spec` with the architecture.
  public static final String ARCHITECTURE_FIELD = "architecture";

  /// Of a pod that runs anywhere.
  public static final PodPlatform ANY = new PodPlatform("", "", "");

  private static final String WINDOWS = "windows";

  /// The isolation of a handler, as far as it decides which Windows builds run.
  public enum Isolation {
    /// Process isolation on the node's kernel.
    PROCESS(WindowsRule.PROCESS_ISOLATION),
    /// Hyper-V isolation with a kernel of its own: an older build runs on a newer node.
    HYPERV(WindowsRule.HYPER_V);

    private final WindowsRule rule;

    Isolation(WindowsRule rule) {
      this.rule = rule;
    }

    public WindowsRule rule() {
      return rule;
    }
  }

  /// Reads a pod's specification; the design of these fields also allows `os` as a text.
  public static PodPlatform parse(JsonNode spec) {
    return new PodPlatform(
        os(spec), spec.path(VERSION_FIELD).asText(""), spec.path(ARCHITECTURE_FIELD).asText(""));
  }

  /// The operating system in a pod's `spec`, such as `linux`; empty when the pod names none.
  public static String os(JsonNode spec) {
    JsonNode os = spec.path("os");
    return os.isTextual() ? os.asText() : os.path("name").asText("");
  }

  /// Whether a pod with this `spec` asks for Windows.
  public static boolean isForWindows(JsonNode spec) {
    return os(spec).equals(WINDOWS);
  }

  /// Reads a pod in fabric8's model, which keeps fields beyond Kubernetes as maps.
  public static PodPlatform of(Pod pod) {
    PodSpec spec = pod.getSpec();
    Map<String, Object> fields = spec.getAdditionalProperties();
    return new PodPlatform(
        spec.getOs() == null ? "" : Objects.requireNonNullElse(spec.getOs().getName(), ""),
        Objects.toString(fields.get(VERSION_FIELD), ""),
        Objects.toString(fields.get(ARCHITECTURE_FIELD), ""));
  }

  /// The same without the operating system, which an agent judges by its own rule.
  public PodPlatform withoutOs() {
    return new PodPlatform("", osVersion, architecture);
  }

  /// Why a node does not match; empty when it does. A node without a label for system or
  /// architecture is not checked against it; a pod with a version needs a node that reports its
  /// build.
  public Optional<String> mismatch(Map<String, String> labels, Isolation isolation) {
    String system = labels.getOrDefault(OS_LABEL, "");
    if (differs(os, system)) {
      return Optional.of("node(s) didn't match Pod's OS \"%s\"".formatted(os));
    }
    if (differs(architecture, labels.getOrDefault(ARCHITECTURE_LABEL, ""))) {
      return Optional.of("node(s) didn't match Pod's architecture \"%s\"".formatted(architecture));
    }
    String build = labels.getOrDefault(BUILD_LABEL, "");
    return osVersion.isEmpty() || runs(build, isolation)
        ? Optional.empty()
        : Optional.of("node(s) didn't match Pod's OS version \"%s\"".formatted(osVersion));
  }

  private static boolean differs(String wanted, String present) {
    return !wanted.isEmpty() && !present.isEmpty() && !wanted.equals(present);
  }

  /// Texts that are no versions of Windows must be equal.
  private boolean runs(String build, Isolation isolation) {
    Optional<WindowsVersion> own = WindowsVersion.parse(osVersion);
    Optional<WindowsVersion> node = WindowsVersion.parse(build);
    if (own.isEmpty() || node.isEmpty()) {
      return osVersion.equals(build);
    }
    return isolation.rule().allows(own.get(), node.get());
  }
}
