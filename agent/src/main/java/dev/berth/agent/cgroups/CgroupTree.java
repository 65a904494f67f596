package dev.berth.agent.cgroups;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/// The kernel's control groups, by their paths, such as `/kubepods/burstable`.
public interface CgroupTree {
  /// Makes a group and those above it, and gives it limits; one that is there gets the new ones.
  void set(String path, CgroupLimits limits) throws IOException;

  /// What a group may use.
  CgroupLimits read(String path) throws IOException;

  /// The paths of the groups one level below; none for a group that is not there.
  List<String> below(String path) throws IOException;

  /// Removes a group and all below it, and answers whether it was there.
  ///
  /// @throws IOException also while processes are in it
  boolean remove(String path) throws IOException;

  /// The ids of the processes in a group and in all below it.
  Set<Long> processes(String path) throws IOException;

  /// Removes a group of which nobody makes use: nothing is below it and nothing runs in it.
  ///
  /// @return whether it is gone
  boolean removeUnused(String path) throws IOException;
}
