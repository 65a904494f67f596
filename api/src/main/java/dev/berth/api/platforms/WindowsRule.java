package dev.berth.api.platforms;

/// Which builds of Windows a container may have, given the version of what runs it.
public enum WindowsRule {
  /// What shares the host's kernel.
  PROCESS_ISOLATION,
  /// What runs in a virtual machine: the same build or an older one.
  HYPER_V,
  /// The same build and no other, as containerd 1.6 decides.
  SAME_BUILD;

  /// The revision never decides.
  ///
  /// @param host the version of the host, or of the guest that the handler names
  public boolean allows(WindowsVersion container, WindowsVersion host) {
    return switch (this) {
      case PROCESS_ISOLATION -> container.runsAsProcessOn(host);
      case HYPER_V -> container.runsUnderHyperVOn(host);
      case SAME_BUILD -> container.sameBuild(host);
    };
  }
}
