package dev.berth.api;

import java.util.regex.Pattern;

/// The two forms of most names in the API: a label (RFC 1123) and a subdomain, which is labels with
/// dots between them. Both are in lower case.
public final class DnsNames {
  public static final int LONGEST_SUBDOMAIN = 253;
  public static final int LONGEST_LABEL = 63;

  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final Pattern ONE = Pattern.compile(LABEL);
  private static final Pattern MANY = Pattern.compile(LABEL + "(\\." + LABEL + ")*");

  private DnsNames() {}

  /// Whether the name is a label, such as `web-1`.
  public static boolean isLabel(String name) {
    return name.length() <= LONGEST_LABEL && ONE.matcher(name).matches();
  }

  /// Whether the name is a subdomain, such as `web-1.example.com`.
  public static boolean isSubdomain(String name) {
    return name.length() <= LONGEST_SUBDOMAIN && MANY.matcher(name).matches();
  }
}
