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

/// How large the pages of an `emptyDir` are: as its medium says (`HugePages-2Mi`), or (`HugePages`)
/// the only size that the pod asks for.
public final class HugePages {
  static final String MEDIUM = "HugePages";
  private static final String RESOURCE = "hugepages-";

  private HugePages() {}

  static boolean isMedium(String medium) {
    return medium.equals(MEDIUM) || medium.startsWith(MEDIUM + "-");
  }

  /// In bytes.
  ///
  /// @throws VolumeException when the pod asks for none of that size, or does not say which
  public static long size(Pod pod, String medium) {
    SortedSet<String> asked = asked(pod);
    String wanted = medium.equals(MEDIUM) ? "" : medium.substring(MEDIUM.length() + 1);
    if (asked.isEmpty() || (!wanted.isEmpty() && !asked.contains(wanted))) {
      throw refused(medium, "no container of the pod asks for such pages", asked);
    }
    if (wanted.isEmpty() && asked.size() > 1) {
      throw refused(medium, "containers of the pod ask for pages of several sizes", asked);
    }
    String size = wanted.isEmpty() ? asked.first() : wanted;
    return Quantity.parse(size)
        .map(Quantity::value)
        .orElseThrow(() -> refused(medium, "its size is no quantity", asked));
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
            "emptyDir medium \"%s\" cannot be had".formatted(medium),
            "%s (it asks for: %s)"
                .formatted(why, asked.isEmpty() ? "none" : String.join(", ", asked)),
            "Give a container a limit such as hugepages-2Mi, and the medium the same size"));
  }
}
