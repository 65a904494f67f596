package dev.berth.agent.runtimes.registration;

/// One way in which a runtime service runs pods; a RuntimeClass names it.
///
/// @param name empty for the one that is used when a pod names none
/// @param isolation on Windows
public record ServiceHandler(
    String name,
    boolean recursiveReadOnlyMounts,
    boolean userNamespaces,
    HandlerIsolation isolation) {
  public ServiceHandler(String name, boolean recursiveReadOnlyMounts, boolean userNamespaces) {
    this(name, recursiveReadOnlyMounts, userNamespaces, HandlerIsolation.UNKNOWN);
  }

  /// A handler of which nothing but its name is known.
  public static ServiceHandler named(String name) {
    return new ServiceHandler(name, false, false);
  }

  public ServiceHandler with(HandlerIsolation known) {
    return new ServiceHandler(name, recursiveReadOnlyMounts, userNamespaces, known);
  }

  @Override
  public String toString() {
    return name.isEmpty() ? "\"\"" : name;
  }
}
