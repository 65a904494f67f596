package dev.berth.vm.kernel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Which module files a guest loads, each after those that it needs. Decided from the two lists
/// that `depmod` and the kernel's build leave beside the modules.
final class ModuleOrder {
  private final Map<String, String> pathByName = new HashMap<>();
  private final Map<String, List<String>> needs = new HashMap<>();
  private final Set<String> builtIn;

  /// @param dependencies lines of `modules.dep`: `kernel/a.ko: kernel/b.ko kernel/c.ko`
  /// @param builtIn lines of `modules.builtin`
  ModuleOrder(List<String> dependencies, List<String> builtIn) {
    for (String line : dependencies) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        String path = line.substring(0, colon);
        String rest = line.substring(colon + 1).strip();
        pathByName.put(name(path), path);
        needs.put(path, rest.isEmpty() ? List.of() : List.of(rest.split(" +", -1)));
      }
    }
    this.builtIn = builtIn.stream().map(ModuleOrder::name).collect(Collectors.toSet());
  }

  /// The paths of the modules and of what they need, in the order of loading.
  List<String> load(List<String> names) {
    Set<String> order = new LinkedHashSet<>();
    for (String name : names) {
      String path = pathByName.get(name);
      if (path != null) {
        add(path, order, new ArrayList<>());
      }
    }
    return List.copyOf(order);
  }

  /// The names that this kernel has neither as a file nor inside.
  Set<String> missing(List<String> names) {
    Set<String> missing = new TreeSet<>(names);
    missing.removeAll(pathByName.keySet());
    missing.removeAll(builtIn);
    return missing;
  }

  /// `depmod` lists dependencies of dependencies, too, but not in an order to rely on.
  private void add(String path, Set<String> order, List<String> open) {
    if (order.contains(path) || open.contains(path)) {
      return;
    }
    open.add(path);
    needs.getOrDefault(path, List.of()).forEach(needed -> add(needed, order, open));
    order.add(path);
  }

  /// `kernel/fs/erofs/erofs.ko.xz` is `erofs`; dashes and underscores are the same.
  static String name(String path) {
    return path.replaceFirst(".*/", "").replaceFirst("\\.ko(\\..*)?$", "").replace('-', '_');
  }
}
