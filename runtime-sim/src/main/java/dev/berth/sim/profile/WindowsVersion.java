package dev.berth.sim.profile;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A version of Windows, and which containers run on which.
///
/// @param revision the monthly patch; does not matter for compatibility
public record WindowsVersion(int major, int minor, int build, int revision) {
  private static final Pattern SYNTAX =
      Pattern.compile("([0-9]{1,5})\\.([0-9]{1,5})\\.([0-9]{1,6})(?:\\.([0-9]{1,6}))?");

  /// Long-term releases from which on older containers run on a newer host without Hyper-V.
  private static final List<Integer> LONG_TERM = List.of(20348, 26100);

  /// Reads `10.0.20348` or `10.0.20348.2340`.
  public static Optional<WindowsVersion> parse(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String revision = matcher.group(4);
    return Optional.of(
        new WindowsVersion(
            Integer.parseInt(matcher.group(1)),
            Integer.parseInt(matcher.group(2)),
            Integer.parseInt(matcher.group(3)),
            revision == null ? 0 : Integer.parseInt(revision)));
  }

  /// Whether containers of this version share the host's kernel: the same build before Server 2022,
  /// from then on back to the long-term release before the host's own.
  public boolean runsAsProcessOn(WindowsVersion host) {
    if (major != host.major || minor != host.minor) {
      return false;
    }
    return build <= host.build && build >= oldestFor(host.build);
  }

  /// Whether containers of this version run in a virtual machine of the host: not if they are
  /// newer.
  public boolean runsUnderHyperVOn(WindowsVersion host) {
    return major == host.major && minor == host.minor && build <= host.build;
  }

  public boolean sameBuild(WindowsVersion other) {
    return major == other.major && minor == other.minor && build == other.build;
  }

  /// Without the revision, as the node's label has it.
  public String label() {
    return major + "." + minor + "." + build;
  }

  private static int oldestFor(int hostBuild) {
    int oldest = hostBuild;
    for (int i = 0; i < LONG_TERM.size(); i++) {
      if (hostBuild >= LONG_TERM.get(i)) {
        oldest = LONG_TERM.get(Math.max(0, i - 1));
      }
    }
    return oldest;
  }
}
