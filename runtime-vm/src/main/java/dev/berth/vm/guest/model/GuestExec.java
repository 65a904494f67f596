package dev.berth.vm.guest.model;

import java.util.List;

/// A further program in a running container, with its user, environment, working directory,
/// capabilities and control group.
///
/// @param stdin whether standard input is open; else it is `/dev/null`
public record GuestExec(String container, List<String> args, boolean tty, boolean stdin) {
  public GuestExec {
    args = List.copyOf(args);
  }
}
