package dev.berth.server.discovery;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Orders versions as Kubernetes does: stable before beta before alpha, higher numbers first.
final class VersionOrder {
  private static final Pattern VERSION = Pattern.compile("v([0-9]+)(?:(alpha|beta)([0-9]+))?");

  static final Comparator<String> PREFERRED_FIRST =
      Comparator.comparing(VersionOrder::rank).reversed().thenComparing(Comparator.naturalOrder());

  private VersionOrder() {}

  private static String rank(String version) {
    Matcher parts = VERSION.matcher(version);
    if (!parts.matches()) {
      return "";
    }
    String stage = parts.group(2) == null ? "stable" : parts.group(2);
    String minor = parts.group(3) == null ? "0" : parts.group(3);
    // alpha < beta < stable as text, too.
    return "%s %09d %09d".formatted(stage, Long.parseLong(parts.group(1)), Long.parseLong(minor));
  }
}
