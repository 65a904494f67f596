package dev.berth.vm.guest.model;

/// A mount of a container.
///
/// @param destination absolute path in the container, made when it does not exist
/// @param subPath of the source; empty is all of it. A missing one is made as a directory in
///   scratch and memory volumes and refused otherwise. It never leaves the source, whatever
///   symbolic links say.
public record GuestMount(String destination, MountSource source, String subPath, boolean readOnly) {

  /// Where a mount comes from. Names have up to 200 of the characters `A-Z a-z 0-9 . _ -` and are
  /// shared by the containers of the guest.
  public sealed interface MountSource {
    /// Files that the host delivers, see `GuestAgent.putTree`.
    record TreeSource(String name) implements MountSource {}

    /// An empty directory on the scratch disk, made by the first container that names it.
    record ScratchSource(String name, GuestOwner owner) implements MountSource {}

    /// An empty directory in memory, made by the first container that names it.
    ///
    /// @param bytes its size; 0 is half of the guest's memory
    record MemorySource(String name, long bytes, GuestOwner owner) implements MountSource {}

    /// An image, read-only (KEP-4639).
    ///
    /// @param disk serial of its disk
    record ImageSource(String disk) implements MountSource {}

    /// An empty file of this container, see `GuestAgent.readFile`; others do not share it.
    record FileSource(String name) implements MountSource {}
  }

  /// Who owns a new directory.
  ///
  /// @param mode such as `0777`, with the bits of sticky, setgid, setuid
  public record GuestOwner(int uid, int gid, int mode) {
    public static final GuestOwner EVERYONE = new GuestOwner(0, 0, 0777);
  }
}
