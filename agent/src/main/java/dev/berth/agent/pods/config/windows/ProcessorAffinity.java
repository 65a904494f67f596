package dev.berth.agent.pods.config.windows;

import dev.berth.agent.pods.config.ConfigException;
import dev.berth.api.pods.PodAnnotations;
import dev.berth.cri.v1.WindowsCpuGroupAffinity;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The processors on which the containers of a pod run, as its annotation lists them: `0-3,66`.
///
/// The kubelet lets its CPU manager choose processors and needs a feature gate for Windows. Here
/// the pod names them; nobody keeps other pods off them.
final class ProcessorAffinity {
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,5})(?:-([0-9]{1,5}))?");

  private ProcessorAffinity() {}

  /// One mask for each group; empty when the pod may run everywhere.
  ///
  /// @param processors of the node
  /// @throws ConfigException when the annotation is no list of processors of this node
  static List<WindowsCpuGroupAffinity> of(Pod pod, long processors, boolean isHyperV) {
    String text = text(pod);
    if (text.isEmpty()) {
      return List.of();
    }
    if (isHyperV) {
      throw mistake(text, "the processors under Hyper-V isolation are virtual; remove it");
    }
    // Windows has groups of at most 64 processors, which a mask of 64 bits names. The kubelet
    // counts
    // through the groups in this way, too.
    long[] masks = parse(text, processors).toLongArray();
    List<WindowsCpuGroupAffinity> groups = new ArrayList<>();
    for (int group = 0; group < masks.length; group++) {
      if (masks[group] != 0) {
        groups.add(
            WindowsCpuGroupAffinity.newBuilder()
                .setCpuGroup(group)
                .setCpuMask(masks[group])
                .build());
      }
    }
    return groups;
  }

  /// The annotation, or an empty text.
  static String text(Pod pod) {
    @Nullable Map<String, String> annotations = pod.getMetadata().getAnnotations();
    return annotations == null
        ? ""
        : annotations.getOrDefault(PodAnnotations.WINDOWS_PROCESSORS, "").strip();
  }

  private static BitSet parse(String text, long processors) {
    BitSet chosen = new BitSet();
    for (String part : text.split(",", -1)) {
      Matcher range = RANGE.matcher(part.strip());
      if (!range.matches()) {
        throw mistake(text, "it must be a list of processors such as 0-3,8");
      }
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      if (last < first || last >= processors) {
        throw mistake(text, "the node has the processors 0-" + (processors - 1));
      }
      chosen.set(first, last + 1);
    }
    return chosen;
  }

  private static ConfigException mistake(String text, String why) {
    return new ConfigException(
        "annotation %s is \"%s\": %s".formatted(PodAnnotations.WINDOWS_PROCESSORS, text, why));
  }
}
