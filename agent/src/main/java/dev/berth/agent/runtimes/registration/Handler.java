package dev.berth.agent.runtimes.registration;

/// One way in which a runtime service runs pods; a RuntimeClass names it.
///
/// @param name empty for the one that is used when a pod names none
/// @param isolation on Windows
public record Handler(
    String name,
    boolean recursiveReadOnlyMounts,
    boolean userNamespaces,
    HandlerIsolation isolation) {
  public Handler(String name, boolean recursiveReadOnlyMounts, boolean userNamespaces) {
    this(name, recursiveReadOnlyMounts, userNamespaces, HandlerIsolation.UNKNOWN);
  }

  /// A handler of which nothing but its name is known.
  public static Handler named(String name) {
    return new Handler(name, false, false);
  }

  public Handler with(HandlerIsolation known) {
    return new Handler(name, recursiveReadOnlyMounts, userNamespaces, known);
  }

  @Override
  public String toString() {
    return name.isEmpty() ? "\"\"" : name;
  }
}
