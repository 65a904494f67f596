package dev.berth.cli.options;

/// How much is logged. Must be set before the first logger is made, because slf4j-simple reads it
/// then.
public final class LogVerbosity {
  private static final String PREFIX = "org.slf4j.simpleLogger.";

  private LogVerbosity() {}

  /// Errors alone, for commands whose output is a report.
  public static void quiet() {
    System.setProperty(PREFIX + "log.dev.berth", "error");
  }

  public static void set(int level) {
    if (level >= 1) {
      System.setProperty(PREFIX + "log.dev.berth", "debug");
    }
    if (level >= 2) {
      System.setProperty(PREFIX + "defaultLogLevel", "info");
    }
  }
}
