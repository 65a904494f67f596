package dev.berth.vm.machine;

import java.util.Set;

/// Chooses user ids of machines.
final class UserIds {
  private UserIds() {}

  /// The lowest one that is free.
  static int choose(QemuSettings settings, Set<Integer> used) {
    for (int user = settings.firstUser(); user < settings.templateUser(); user++) {
      if (!used.contains(user)) {
        return user;
      }
    }
    throw MachineFailures.refused(
        "no further virtual machine on this node",
        "all %d user ids from %d on are in use"
            .formatted(settings.users() - 1, settings.firstUser()),
        "Remove pods, or give the VM runtime more user ids");
  }
}
