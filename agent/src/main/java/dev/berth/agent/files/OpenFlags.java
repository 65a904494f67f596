package dev.berth.agent.files;

import java.util.Set;

/// Flags of `open(2)` on Linux; two differ between processors.
final class OpenFlags {
  private static final Set<String> WITH_OWN_NUMBERS = Set.of("aarch64", "arm", "ppc64", "ppc64le");
  private static final boolean HAS_OWN_NUMBERS =
      WITH_OWN_NUMBERS.contains(System.getProperty("os.arch", ""));

  static final int READ = 0;
  static final int WRITE = 1;
  static final int CREATE = 0100;
  static final int EXCLUSIVE = 0200;
  static final int NO_WAIT = 04000;
  static final int CLOSE_ON_EXEC = 02000000;

  /// O_PATH: refers to a file without opening it, so that devices and pipes have no effect.
  static final int PATH_ONLY = 010000000;

  static final int DIRECTORY = HAS_OWN_NUMBERS ? 040000 : 0200000;
  static final int NO_LINK = HAS_OWN_NUMBERS ? 0100000 : 0400000;

  /// Opens a directory for listing and changes, not through a link.
  static final int LISTED_DIRECTORY = READ | DIRECTORY | NO_LINK | NO_WAIT;

  private OpenFlags() {}
}
