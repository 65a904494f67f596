package dev.berth.vm.guest.model;

/// A file, directory or symbolic link that the host delivers.
///
/// Bytes are not copied: whoever makes an entry leaves them alone.
public sealed interface TreeEntry {
  /// Relative, without `..`. Missing parents are made as directories of root with mode 0755.
  String path();

  /// A file.
  @SuppressWarnings("ArrayRecordComponent")
  record TreeFile(String path, int mode, int uid, int gid, byte[] bytes) implements TreeEntry {}

  /// A directory.
  record TreeDirectory(String path, int mode, int uid, int gid) implements TreeEntry {}

  /// A symbolic link; its target is not checked.
  record TreeLink(String path, String target) implements TreeEntry {}
}
