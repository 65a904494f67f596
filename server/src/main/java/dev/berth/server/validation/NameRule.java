package dev.berth.server.validation;

import java.util.List;

/// Which names a kind allows.
public enum NameRule {
  DNS_SUBDOMAIN,
  DNS_LABEL,
  SERVICE_NAME,
  PATH_SEGMENT;

  /// What is wrong with a name; empty when nothing is.
  public List<String> problems(String name) {
    return List.of();
  }
}
