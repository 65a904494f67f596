package dev.berth.server.podsecurity;

import java.util.Optional;
import java.util.regex.Pattern;

/// A minor version of Kubernetes whose checks apply.
///
/// A pinned version keeps its checks when the server is upgraded; `latest` follows the server.
///
/// @param minor the largest number for `latest`, which is newer than any other
public record PolicyVersion(int minor) {
  public static final PolicyVersion LATEST = new PolicyVersion(Integer.MAX_VALUE);

  /// Accepted values, for messages.
  static final String ACCEPTED = "must be \"latest\" or \"v1.x\"";

  private static final Pattern FORM = Pattern.compile("v1\\.(0|[1-9][0-9]{0,8})");

  static Optional<PolicyVersion> parse(String text) {
    if (text.equals("latest")) {
      return Optional.of(LATEST);
    }
    return FORM.matcher(text).matches()
        ? Optional.of(new PolicyVersion(Integer.parseInt(text.substring("v1.".length()))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return equals(LATEST) ? "latest" : "v1." + minor;
  }
}
