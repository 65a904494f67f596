package dev.berth.vm.guest.model;

import java.util.List;
import java.util.OptionalLong;

/// Who runs the program of a container. The guest resolves names in `/etc/passwd` and `/etc/group`
/// of the root file system, and refuses the container when a name is unknown.
///
/// @param user as in an image configuration: empty, `uid`, `name`, `uid:gid`, `name:group`
/// @param group replaces the group of `user`
/// @param supplementalGroups beside those of the image
/// @param strictGroups leaves out the groups that the image gives the user (KEP-3619)
public record GuestUser(
    String user, OptionalLong group, List<Long> supplementalGroups, boolean strictGroups) {
  public static final GuestUser ROOT = new GuestUser("0:0", OptionalLong.empty(), List.of(), false);

  public GuestUser {
    supplementalGroups = List.copyOf(supplementalGroups);
  }
}
