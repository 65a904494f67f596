package dev.berth.agent.cgroups;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The control groups of pods: a parent for all pods, a level per QoS class, and a group per pod
/// with the limits of its containers and sandbox together.
public final class PodCgroups {
  private static final String POD = "/pod";
  private static final String BURSTABLE = "/burstable";
  private static final String BEST_EFFORT = "/besteffort";
  private static final List<String> LEVELS = List.of("", BURSTABLE, BEST_EFFORT);

  /// For an agent that creates no groups.
  public static final PodCgroups NONE = new PodCgroups(null, "");

  private final @Nullable CgroupTree cgroups;
  private final String parent;

  /// Serializes updates of a level's sum: concurrent pods would write sums of different states.
  private final ReentrantLock levels = new ReentrantLock();

  private PodCgroups(@Nullable CgroupTree cgroups, String parent) {
    this.cgroups = cgroups;
    this.parent = parent;
  }

  /// Creates the levels.
  ///
  /// @param parent of all pods, such as `/kubepods`
  /// @param all the limits of all pods together
  /// @throws IOException where control groups cannot be created
  public static PodCgroups open(CgroupTree cgroups, String parent, CgroupLimits all)
      throws IOException {
    cgroups.set(parent, all);
    cgroups.set(parent + BEST_EFFORT, CgroupLimits.LEAST);
    PodCgroups pods = new PodCgroups(cgroups, parent);
    pods.weigh(cgroups);
    return pods;
  }

  /// The path of a pod's group.
  ///
  /// @param level `burstable`, `besteffort`, or empty for guaranteed pods
  public static String path(String parent, String level, String podUid) {
    return parent + (level.isEmpty() ? "" : "/" + level) + POD + podUid;
  }

  /// Creates the group of a pod, or changes its limits.
  ///
  /// @param path see [#path]
  public void set(String path, CgroupLimits limits) throws IOException {
    if (cgroups != null) {
      cgroups.set(path, limits);
      if (path.startsWith(parent + BURSTABLE)) {
        weigh(cgroups);
      }
    }
  }

  /// Raises limits of an existing group; lowers none.
  public void raise(String path, CgroupLimits limits) throws IOException {
    if (cgroups != null && find(path).isPresent()) {
      set(path, limits.atLeast(cgroups.read(path)));
    }
  }

  private Optional<String> find(String path) throws IOException {
    String above = path.substring(0, path.lastIndexOf('/'));
    return cgroups == null
        ? Optional.empty()
        : cgroups.below(above).stream().filter(path::equals).findFirst();
  }

  /// Removes the group of a pod at whichever level it is.
  ///
  /// @throws IOException also while something of the pod runs
  public void remove(String podUid) throws IOException {
    if (cgroups != null) {
      for (String level : LEVELS) {
        if (cgroups.remove(parent + level + POD + podUid) && level.equals(BURSTABLE)) {
          weigh(cgroups);
        }
      }
    }
  }

  /// Kills the processes in a pod's group at whichever level it is.
  ///
  /// @return their ids
  public Set<Long> kill(String podUid) throws IOException {
    Set<Long> killed = new TreeSet<>();
    if (cgroups != null) {
      for (String level : LEVELS) {
        killed.addAll(cgroups.processes(parent + level + POD + podUid));
      }
    }
    killed.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    return killed;
  }

  /// Removes the groups of some pods and, when no others are left, the levels and all unused
  /// parents.
  public static void clear(CgroupTree cgroups, String parent, List<String> podUids)
      throws IOException {
    PodCgroups pods = new PodCgroups(cgroups, parent);
    for (String uid : podUids) {
      pods.remove(uid);
    }
    if (!cgroups.below(parent).isEmpty() && pods.isEmpty(cgroups)) {
      cgroups.remove(parent);
      String above = parent;
      do {
        above = above.substring(0, Math.max(0, above.lastIndexOf('/')));
      } while (!above.isEmpty() && cgroups.removeUnused(above));
    }
  }

  private boolean isEmpty(CgroupTree groups) throws IOException {
    for (String level : LEVELS) {
      if (groups.below(parent + level).stream().anyMatch(one -> one.contains(level + POD))) {
        return false;
      }
    }
    return true;
  }

  /// The burstable level weighs as much as its pods together.
  private void weigh(CgroupTree groups) throws IOException {
    String level = parent + BURSTABLE;
    levels.lock();
    try {
      long sum = 0;
      for (String pod : groups.below(level)) {
        sum += shares(groups, pod);
      }
      long shares = Math.clamp(sum, CgroupLimits.SMALLEST_SHARES, CgroupLimits.LARGEST_SHARES);
      groups.set(level, new CgroupLimits(shares, CgroupLimits.NO_LIMIT, CgroupLimits.NO_LIMIT));
    } finally {
      levels.unlock();
    }
  }

  /// A group that is created or removed in between counts the next time.
  private static long shares(CgroupTree groups, String pod) {
    try {
      return groups.read(pod).cpuShares();
    } catch (IOException _) {
      return 0;
    }
  }
}
