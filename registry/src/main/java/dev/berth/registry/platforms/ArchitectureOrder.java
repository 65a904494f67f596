package dev.berth.registry.platforms;

import java.util.ArrayList;
import java.util.List;

/// The architectures that a processor runs, best first, as containerd orders them.
final class ArchitectureOrder {
  private static final int OLDEST_ARM = 5;
  private static final int NEWEST_ARM = 8;
  private static final int ARM_9 = 9;

  private ArchitectureOrder() {}

  /// Normalized architectures with their variants.
  static List<String> of(ImagePlatform platform) {
    ImagePlatform normal = platform.normalized();
    List<String> order = new ArrayList<>();
    order.add(key(normal));
    // Windows and Linux differ: only Linux runs programs of the processor's older forms.
    if (normal.isWindows()) {
      return order;
    }
    switch (normal.architecture()) {
      case "amd64" -> {
        for (int level = number(normal.variant()) - 1; level >= 1; level--) {
          order.add(level == 1 ? "amd64" : "amd64/v" + level);
        }
        order.add("386");
      }
      case "arm" -> addArm(number(normal.variant()) - 1, order);
      case "arm64" -> {
        addArm64(normal.variant(), order);
        addArm(NEWEST_ARM, order);
      }
      default -> {}
    }
    return order;
  }

  /// As an entry's platform is compared with the order.
  static String key(ImagePlatform normal) {
    return normal.variant().isEmpty()
        ? normal.architecture()
        : normal.architecture() + "/" + normal.variant();
  }

  private static void addArm(int newest, List<String> order) {
    for (int version = newest; version >= OLDEST_ARM; version--) {
      order.add("arm/v" + version);
    }
  }

  /// ARM 9.x runs what was made for 8.(x+5), from which it came.
  private static void addArm64(String variant, List<String> order) {
    String[] parts = variant.split("\\.", 2);
    int major = variant.isEmpty() ? NEWEST_ARM : number(parts[0]);
    int minor = parts.length == 2 ? number("v" + parts[1]) : 0;
    if (major == ARM_9) {
      for (int older = minor - 1; older >= 0; older--) {
        order.add(older == 0 ? "arm64/v9" : "arm64/v9." + older);
      }
      minor += 6;
    }
    if (major == ARM_9 || major == NEWEST_ARM) {
      for (int older = minor - 1; older >= 0; older--) {
        order.add(older == 0 ? "arm64" : "arm64/v8." + older);
      }
    }
  }

  /// Of `v3`; 0 when it is no such variant.
  private static int number(String variant) {
    String digits = variant.startsWith("v") ? variant.substring(1) : "";
    boolean valid =
        !digits.isEmpty()
            && digits.length() <= 2
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    return valid ? Integer.parseInt(digits) : 0;
  }
}
