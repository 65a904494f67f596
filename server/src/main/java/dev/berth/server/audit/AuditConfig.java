package dev.berth.server.audit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Configuration of the audit log.
///
/// @param file the output; empty for standard output
public record AuditConfig(AuditPolicy policy, Optional<Path> file, Rotation rotation) {
  /// Rotation of the file and retention of old files.
  ///
  /// @param maxBytes size limit of a file
  /// @param maxBackups number of old files to keep; 0 for no limit
  /// @param maxAge age limit of old files; zero for no limit
  /// @param compress whether old files are compressed with gzip
  public record Rotation(long maxBytes, int maxBackups, Duration maxAge, boolean compress) {}
}
