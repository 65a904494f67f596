package dev.berth.server.validation.fields;

import java.util.ArrayList;
import java.util.List;

/// The syntax of a kind's names.
///
/// A name is part of keys in the store and of paths, so every rule forbids slashes.
public enum NameRule {
  /// Most kinds: `example.com`.
  DNS_SUBDOMAIN {
    @Override
    List<String> shape(String name) {
      return NameRules.dns1123Subdomain(name);
    }
  },
  /// Namespaces: `my-name`.
  DNS_LABEL {
    @Override
    List<String> shape(String name) {
      return NameRules.dns1123Label(name);
    }
  },
  /// Services: a label that starts with a letter.
  DNS_1035_LABEL {
    @Override
    List<String> shape(String name) {
      return NameRules.dns1035Label(name);
    }
  },
  /// RBAC: any path segment, such as `system:node`.
  PATH_SEGMENT {
    @Override
    List<String> shape(String name) {
      return pathSegment(name, true);
    }

    @Override
    public List<String> prefixProblems(String prefix) {
      return pathSegment(prefix, false);
    }
  };

  abstract List<String> shape(String name);

  /// Returns the errors of a name.
  public List<String> problems(String name) {
    return shape(name);
  }

  /// Returns the errors of a `generateName`, which may end in a dash.
  public List<String> prefixProblems(String prefix) {
    return shape(prefix.length() > 1 && prefix.endsWith("-") ? masked(prefix) : prefix);
  }

  private static String masked(String prefix) {
    // Upstream's `maskTrailingDash`: the dash with the character before it becomes a letter, so
    // that a prefix is judged by the rule of a whole name.
    return prefix.substring(0, prefix.length() - 2) + "a";
  }

  static List<String> pathSegment(String name, boolean whole) {
    if (whole && (name.equals(".") || name.equals(".."))) {
      return List.of("may not be '" + name + "'");
    }
    List<String> problems = new ArrayList<>();
    // Both would change meaning in a path: a separator, and the start of an escape.
    for (String forbidden : List.of("/", "%")) {
      if (name.contains(forbidden)) {
        problems.add("may not contain '" + forbidden + "'");
      }
    }
    return problems;
  }
}
