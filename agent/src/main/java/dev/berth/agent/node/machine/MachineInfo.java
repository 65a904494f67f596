package dev.berth.agent.node.machine;

import java.util.Map;
import java.util.TreeMap;

/// A machine as its Node object describes it.
///
/// @param system `linux` or `windows`
/// @param architecture Go's name: `amd64`, `arm64`
/// @param windowsBuild such as `10.0.20348`; empty on other systems
public record MachineInfo(
    String system,
    String architecture,
    String windowsBuild,
    String kernelVersion,
    String systemImage,
    Ids ids,
    Size size) {
  /// The ids by which monitoring distinguishes machines.
  public record Ids(String machine, String system, String boot) {
    public static final Ids UNKNOWN = new Ids("", "", "");
  }

  /// The size of a machine.
  ///
  /// @param hugePages bytes by resource name: `hugepages-2Mi`
  public record Size(long cpus, long memory, long storage, Map<String, Long> hugePages) {
    public Size {
      hugePages = new TreeMap<>(hugePages);
    }
  }

  /// Kubernetes' name of an architecture.
  ///
  /// @param name Java's name
  public static String architecture(String name) {
    return switch (name) {
      case "x86_64" -> "amd64";
      case "aarch64" -> "arm64";
      default -> name;
    };
  }
}
