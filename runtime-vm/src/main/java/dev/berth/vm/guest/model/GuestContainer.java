package dev.berth.vm.guest.model;

import java.util.List;

/// A container to create.
///
/// @param id of CRI
/// @param imageDisk serial of the disk with the root file system, such as `image0`
/// @param environment `NAME=value` each, in order; the last of a name counts
/// @param workingDirectory made when it does not exist; empty is `/`
/// @param stdin whether standard input is kept open for clients; else it is `/dev/null`
/// @param stdinOnce whether standard input ends with the first client that ends it
public record GuestContainer(
    String id,
    String imageDisk,
    List<String> args,
    List<String> environment,
    String workingDirectory,
    GuestUser user,
    GuestPrivileges privileges,
    List<GuestMount> mounts,
    GuestLimits limits,
    PidNamespace pidNamespace,
    boolean tty,
    boolean stdin,
    boolean stdinOnce) {
  public GuestContainer {
    args = List.copyOf(args);
    environment = List.copyOf(environment);
    mounts = List.copyOf(mounts);
  }

  /// A container with defaults that runs `args` as root.
  public static GuestContainer of(String id, String imageDisk, List<String> args) {
    return new GuestContainer(
        id,
        imageDisk,
        args,
        List.of("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
        "",
        GuestUser.ROOT,
        GuestPrivileges.DEFAULT,
        List.of(),
        GuestLimits.NONE,
        new PidNamespace.OwnProcesses(),
        false,
        false,
        false);
  }

  /// Which processes a container sees.
  public sealed interface PidNamespace {
    /// Its own.
    record OwnProcesses() implements PidNamespace {}

    /// Those of all containers of the pod that ask for it (`shareProcessNamespace`).
    record PodProcesses() implements PidNamespace {}

    /// Those of another container, which must run (ephemeral containers).
    record TargetProcesses(String container) implements PidNamespace {}
  }
}
