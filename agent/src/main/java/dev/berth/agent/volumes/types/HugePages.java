package dev.berth.agent.volumes.types;

import dev.berth.agent.volumes.VolumeException;
import dev.berth.api.Problem;
import dev.berth.api.Quantity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The page size of an `emptyDir`: that of its medium (`HugePages-2Mi`), or, for `HugePages`, the
/// only size that the pod requests.
public final class HugePages {
  static final String MEDIUM = "HugePages";
  private static final String RESOURCE = "hugepages-";

  private HugePages() {}

  static boolean isMedium(String medium) {
    return medium.equals(MEDIUM) || medium.startsWith(MEDIUM + "-");
  }

  /// The page size in bytes.
  ///
  /// @throws VolumeException when the pod requests no pages of that size, or several sizes without
  ///   a choice
  public static long size(Pod pod, String medium) {
    SortedSet<String> asked = asked(pod);
    String wanted = medium.equals(MEDIUM) ? "" : medium.substring(MEDIUM.length() + 1);
    if (asked.isEmpty() || (!wanted.isEmpty() && !asked.contains(wanted))) {
      throw refused(medium, "no container of the pod requests such pages", asked);
    }
    if (wanted.isEmpty() && asked.size() > 1) {
      throw refused(medium, "containers of the pod request several page sizes", asked);
    }
    String size = wanted.isEmpty() ? asked.first() : wanted;
    return Quantity.parse(size)
        .map(Quantity::value)
        .orElseThrow(() -> refused(medium, "its size is not a quantity", asked));
  }

  private static SortedSet<String> asked(Pod pod) {
    SortedSet<String> sizes = new TreeSet<>();
    Stream.concat(
            pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
        .map(Container::getResources)
        .flatMap(HugePages::names)
        .filter(name -> name.startsWith(RESOURCE))
        .forEach(name -> sizes.add(name.substring(RESOURCE.length())));
    return sizes;
  }

  private static Stream<String> names(@org.jspecify.annotations.Nullable ResourceRequirements one) {
    return one == null
        ? Stream.empty()
        : Stream.of(one.getRequests(), one.getLimits())
            .filter(amounts -> amounts != null)
            .flatMap(amounts -> amounts.keySet().stream());
  }

  private static VolumeException refused(String medium, String why, SortedSet<String> asked) {
    return new VolumeException(
        new Problem(
            "emptyDir medium \"%s\" is not available".formatted(medium),
            "%s (requested: %s)"
                .formatted(why, asked.isEmpty() ? "none" : String.join(", ", asked)),
            "Give a container a limit such as hugepages-2Mi, and the medium the same size"));
  }
}
