package dev.berth.api.platforms;

import java.util.Comparator;
import java.util.Optional;

/// A version of Windows, and which containers run on which.
///
/// @param revision the monthly patch; does not matter for compatibility
public record WindowsVersion(int major, int minor, int build, int revision)
    implements Comparable<WindowsVersion> {
  private static final Comparator<WindowsVersion> ORDER =
      Comparator.comparingInt(WindowsVersion::major)
          .thenComparingInt(WindowsVersion::minor)
          .thenComparingInt(WindowsVersion::build)
          .thenComparingInt(WindowsVersion::revision);

  /// The first build whose containers run on newer hosts without Hyper-V (Server 2022).
  private static final int FIRST_STABLE = 20348;

  /// Server 2025, from which hosts after it run containers.
  private static final int SECOND_STABLE = 26100;

  private static final int MOST_DIGITS = 6;
  private static final int MOST_NUMBERS = 4;
  private static final int FEWEST_NUMBERS = 3;

  /// Reads `10.0.20348` or `10.0.20348.2340`.
  public static Optional<WindowsVersion> parse(String text) {
    // By hand, because the matcher reads every entry of an index.
    int[] numbers = new int[MOST_NUMBERS];
    int count = 0;
    int digits = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= '0' && c <= '9' && digits < MOST_DIGITS) {
        numbers[count] = numbers[count] * 10 + (c - '0');
        digits++;
      } else if (c == '.' && digits > 0 && count < MOST_NUMBERS - 1) {
        count++;
        digits = 0;
      } else {
        return Optional.empty();
      }
    }
    return digits == 0 || count < FEWEST_NUMBERS - 1
        ? Optional.empty()
        : Optional.of(new WindowsVersion(numbers[0], numbers[1], numbers[2], numbers[3]));
  }

  /// Whether containers of this version share the host's kernel: the same build before Server 2022;
  /// from then on builds from the newest of Server 2022 and 2025 that is older than the host, and
  /// from Server 2022 on a host that is no newer than that.
  public boolean runsAsProcessOn(WindowsVersion host) {
    if (major != host.major || minor != host.minor) {
      return false;
    }
    return build <= host.build && build >= host.oldestProcessBuild();
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

  /// The oldest build of a container that shares the kernel of this version as a host.
  public int oldestProcessBuild() {
    if (build < FIRST_STABLE) {
      return build;
    }
    return build > SECOND_STABLE ? SECOND_STABLE : FIRST_STABLE;
  }

  /// By numbers, so that revision 805 is before 1069.
  @Override
  public int compareTo(WindowsVersion other) {
    return ORDER.compare(this, other);
  }
}
