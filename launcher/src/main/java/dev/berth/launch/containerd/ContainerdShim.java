package dev.berth.launch.containerd;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/// A shim: the process that holds the containers of a sandbox for containerd.
///
/// @param id of the sandbox
/// @param holdsNothing whether it has no child process
record ContainerdShim(ProcessHandle process, String id, Instant started, boolean holdsNothing) {
  /// Finds the shims of the containerd with a socket. They are children of PID 1, so that their
  /// command line is the only relation.
  static List<ContainerdShim> of(String socket) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().command().orElse("").contains("containerd-shim"))
        .filter(process -> arguments(process).contains(socket))
        .map(ContainerdShim::read)
        .toList();
  }

  private static ContainerdShim read(ProcessHandle process) {
    List<String> words = arguments(process);
    int option = words.indexOf("-id");
    return new ContainerdShim(
        process,
        option < 0 || option + 1 == words.size() ? "" : words.get(option + 1),
        process.info().startInstant().orElse(Instant.MAX),
        process.children().findAny().isEmpty());
  }

  /// A containerd that is killed while it starts a sandbox leaves a shim that the next containerd
  /// does not know, so nothing stops it.
  ///
  /// @param known the sandboxes and containers that containerd has
  /// @param since when containerd started; a younger shim may belong to a sandbox that is being
  ///   started
  boolean isLost(Set<String> known, Instant since) {
    return holdsNothing && started.isBefore(since) && !known.contains(id);
  }

  private static List<String> arguments(ProcessHandle process) {
    return List.of(process.info().arguments().orElse(new String[0]));
  }
}
