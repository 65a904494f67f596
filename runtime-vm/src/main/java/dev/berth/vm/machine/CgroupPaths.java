package dev.berth.vm.machine;

import java.util.ArrayList;
import java.util.List;

/// Where a control group of a runtime's parent is below a hierarchy.
final class CgroupPaths {
  private CgroupPaths() {}

  /// Translates the name of a parent into a path.
  ///
  /// @param parent as in CRI: `/kubepods/pod1`, or a systemd slice such as `kubepods-pod1.slice`
  /// @return relative to the root of a hierarchy
  static String relative(String parent) {
    String clean = parent.replaceAll("^/+", "").replaceAll("/+$", "");
    for (String part : clean.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..") || part.contains("\0")) {
        throw MachineFailures.refused(
            "control group %s cannot be used".formatted(parent),
            "it is no path of a control group",
            "Name it like /kubepods/pod1 or kubepods-pod1.slice");
      }
    }
    return parent.startsWith("/") || !clean.endsWith(".slice") ? clean : slice(clean);
  }

  /// `a-b-c.slice` is inside `a-b.slice`, which is inside `a.slice`.
  private static String slice(String name) {
    String[] words = name.substring(0, name.length() - ".slice".length()).split("-", -1);
    List<String> path = new ArrayList<>();
    StringBuilder prefix = new StringBuilder();
    for (String word : words) {
      prefix.append(prefix.isEmpty() ? "" : "-").append(word);
      path.add(prefix + ".slice");
    }
    return String.join("/", path);
  }
}
