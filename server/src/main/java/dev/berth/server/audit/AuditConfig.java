package dev.berth.server.audit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// What an administrator decides about the audit log.
///
/// @param file where events go; empty for standard output
public record AuditConfig(AuditPolicy policy, Optional<Path> file, Rotation rotation) {
  /// When the file is replaced by an empty one, and how long old ones are kept.
  ///
  /// @param maxBytes no file becomes larger
  /// @param maxBackups so many old files are kept; 0 for any number
  /// @param maxAge old files are kept for so long; zero for ever
  /// @param compress whether old files are compressed with gzip
  public record Rotation(long maxBytes, int maxBackups, Duration maxAge, boolean compress) {}
}
