package dev.berth.agent.pods.config;

import java.util.ArrayList;
import java.util.List;

/// Limits of what resolvers read from a `resolv.conf`; numbers and messages are the kubelet's.
final class DnsLimits {
  /// Kubernetes' limits, which the kubelet applies; glibc reads three servers (`MAXNS`).
  private static final int SERVERS = 3;

  private static final int SEARCHES = 32;
  private static final int SEARCH_LINE = 2048;
  private static final int SEARCH = 253;

  private DnsLimits() {}

  static List<String> servers(List<String> all) {
    return all.subList(0, Math.min(SERVERS, all.size()));
  }

  static List<String> searches(List<String> all) {
    List<String> kept = new ArrayList<>();
    int length = -1;
    for (String search : all.subList(0, Math.min(SEARCHES, all.size()))) {
      if (search.length() > SEARCH) {
        continue; // Some resolvers crash on it.
      }
      length += 1 + search.length();
      if (length > SEARCH_LINE) {
        break;
      }
      kept.add(search);
    }
    return kept;
  }

  /// Warnings about what was left out.
  static List<String> warnings(List<String> servers, List<String> searches) {
    List<String> warnings = new ArrayList<>();
    if (!servers(servers).equals(servers)) {
      warnings.add(
          "Nameserver limits were exceeded, some nameservers have been omitted, the applied"
              + " nameserver line is: "
              + String.join(" ", servers(servers)));
    }
    if (!searches(searches).equals(searches)) {
      warnings.add(
          "Search Line limits were exceeded, some search paths have been omitted, the applied"
              + " search line is: "
              + String.join(" ", searches(searches)));
    }
    return warnings;
  }
}
