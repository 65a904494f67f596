package dev.berth.vm.guest.model;

import java.util.List;

/// What a container may do to its guest.
///
/// @param capabilities of the program and the bounds of its children
/// @param privileged all capabilities, the guest's devices, nothing hidden or read-only
/// @param readOnlyRoot whether the root file system refuses writes
/// @param maskedPaths hidden files and directories
/// @param readOnlyPaths of the root file system, bound read-only
public record GuestPrivileges(
    GuestCapabilities capabilities,
    boolean privileged,
    boolean noNewPrivileges,
    boolean readOnlyRoot,
    List<String> maskedPaths,
    List<String> readOnlyPaths) {
  public static final GuestPrivileges DEFAULT =
      new GuestPrivileges(GuestCapabilities.DEFAULT, false, false, false, List.of(), List.of());

  public GuestPrivileges {
    maskedPaths = List.copyOf(maskedPaths);
    readOnlyPaths = List.copyOf(readOnlyPaths);
  }
}
