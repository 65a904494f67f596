package dev.berth.agent.cgroups;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/// Control groups by path, such as `/kubepods/burstable`.
public interface CgroupTree {
  /// Creates a group with its parents, and sets its limits; an existing group gets the new limits.
  void set(String path, CgroupLimits limits) throws IOException;

  /// The limits of a group.
  CgroupLimits read(String path) throws IOException;

  /// The child groups; empty for a group that does not exist.
  List<String> below(String path) throws IOException;

  /// Removes a group and its descendants.
  ///
  /// @return whether it existed
  /// @throws IOException also while it has processes
  boolean remove(String path) throws IOException;

  /// The process ids in a group and its descendants.
  Set<Long> processes(String path) throws IOException;

  /// Removes a group that has neither children nor processes.
  ///
  /// @return whether it no longer exists
  boolean removeUnused(String path) throws IOException;
}
