package dev.berth.vm.images.tar;

import java.util.Map;

/// One entry of a tar file, as it stands there.
///
/// @param name as written, with leading or trailing slashes
/// @param mode permissions, set-user-ID, set-group-ID and sticky bits
/// @param size of the content; zero for what has none
/// @param mtimeNanos fraction of the second, never negative
/// @param linkName of links; empty for others
/// @param xattrs by their full names
public record TarEntry(
    String name,
    TarEntryType type,
    int mode,
    long uid,
    long gid,
    long size,
    long mtimeSeconds,
    int mtimeNanos,
    String linkName,
    long deviceMajor,
    long deviceMinor,
    Map<String, byte[]> xattrs) {
  public TarEntry {
    xattrs = Map.copyOf(xattrs);
  }
}
