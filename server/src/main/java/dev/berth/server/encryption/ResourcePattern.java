package dev.berth.server.encryption;

/// The resources of a rule in upstream's form: `secrets`, `deployments.apps`, `*.apps`, `*.` (the
/// core group) or `*.*`.
record ResourcePattern(String resource, String group) {
  private static final String ANY = "*";

  static ResourcePattern parse(String text) {
    int dot = text.indexOf('.');
    return dot < 0
        ? new ResourcePattern(text, "")
        : new ResourcePattern(text.substring(0, dot), text.substring(dot + 1));
  }

  boolean isEverything() {
    return isAnyResource() && group.equals(ANY);
  }

  boolean isAnyResource() {
    return resource.equals(ANY);
  }

  boolean matches(ResourcePattern exact) {
    return isEverything()
        || (group.equals(exact.group) && (isAnyResource() || resource.equals(exact.resource)));
  }

  @Override
  public String toString() {
    return group.isEmpty() && !isAnyResource() ? resource : resource + "." + group;
  }
}
