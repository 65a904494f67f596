package dev.berth.vm.images.erofs;

import dev.berth.vm.images.layers.FileNode;
import dev.berth.vm.images.layers.LayerEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// All inodes of an image, the root first and the files of a directory next to each other.
final class InodeTable {
  private static final int HIGHEST_SHORT = 0xffff;
  private static final long HIGHEST_INT = 0xffff_ffffL;

  /// When a file was modified.
  record FileTime(long seconds, int nanos) {
    static FileTime of(LayerEntry entry) {
      return new FileTime(entry.mtimeSeconds(), entry.mtimeNanos());
    }
  }

  private final List<InodePlan> plans = new ArrayList<>();
  private final Map<FileNode, InodePlan> byNode = new HashMap<>();
  private FileTime usual = new FileTime(0, 0);
  private long metadataBlocks;

  InodeTable(FileNode root) {
    collect(root);
    chooseUsualTime();
    place();
  }

  private void collect(FileNode root) {
    Deque<FileNode> directories = new ArrayDeque<>();
    directories.add(root);
    add(root, root);
    while (!directories.isEmpty()) {
      FileNode directory = directories.remove();
      for (Map.Entry<String, FileNode> child : blocks(directory).names().entrySet()) {
        FileNode node = child.getValue();
        boolean isNew = !byNode.containsKey(node);
        InodePlan plan = isNew ? add(node, directory) : plan(node);
        plan.links++;
        if (isNew && node.isDirectory()) {
          directories.add(node);
        }
      }
    }
  }

  private DirectoryBlocks blocks(FileNode directory) {
    DirectoryBlocks blocks = plan(directory).directory;
    if (blocks == null) {
      throw new IllegalStateException("not a directory");
    }
    return blocks;
  }

  private InodePlan add(FileNode node, FileNode parent) {
    DirectoryBlocks directory = node.isDirectory() ? new DirectoryBlocks(node, parent) : null;
    InodePlan plan = new InodePlan(node, directory);
    plans.add(plan);
    byNode.put(node, plan);
    return plan;
  }

  InodePlan plan(FileNode node) {
    InodePlan plan = byNode.get(node);
    if (plan == null) {
      throw new IllegalStateException("a file without an inode");
    }
    return plan;
  }

  /// Short inodes have no time of their own, so they are for files with the most frequent one.
  private void chooseUsualTime() {
    Map<FileTime, Integer> counts = new HashMap<>();
    plans.forEach(plan -> counts.merge(FileTime.of(plan.node.entry()), 1, Integer::sum));
    int most = 0;
    for (InodePlan plan : plans) {
      FileTime time = FileTime.of(plan.node.entry());
      if (counts.getOrDefault(time, 0) > most) {
        most = counts.getOrDefault(time, 0);
        usual = time;
      }
    }
  }

  private void place() {
    long next = ErofsFormat.SUPERBLOCK + ErofsFormat.SUPERBLOCK_SIZE;
    for (InodePlan plan : plans) {
      plan.isExtended = isExtended(plan);
      next = plan.place(next);
    }
    long block = ErofsFormat.blocks(next);
    for (InodePlan plan : plans) {
      plan.metadataBlock = block;
      block += plan.metadataBlocks();
    }
    metadataBlocks = block;
  }

  private boolean isExtended(InodePlan plan) {
    LayerEntry entry = plan.node.entry();
    return !FileTime.of(entry).equals(usual)
        || entry.uid() > HIGHEST_SHORT
        || entry.gid() > HIGHEST_SHORT
        || plan.links > HIGHEST_SHORT
        || plan.size > HIGHEST_INT;
  }

  List<InodePlan> plans() {
    return plans;
  }

  FileTime usualTime() {
    return usual;
  }

  long metadataBlocks() {
    return metadataBlocks;
  }
}
