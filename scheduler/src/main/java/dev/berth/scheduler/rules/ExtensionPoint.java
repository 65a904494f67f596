package dev.berth.scheduler.rules;

/// A step of an attempt, with upstream's name of the extension point.
public enum ExtensionPoint {
  PRE_FILTER("PreFilter"),
  FILTER("Filter"),
  PRE_SCORE("PreScore"),
  SCORE("Score"),
  BIND("Bind");

  private final String label;

  ExtensionPoint(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
