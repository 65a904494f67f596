package dev.berth.server.audit;

import java.io.IOException;
import java.util.List;

/// The output of audit events; confined to the thread of {@link AuditLog}.
///
/// A failed write loses its events; `AuditLog` counts them and goes on.
interface AuditOutput extends AutoCloseable {
  /// Writes events, one line each.
  ///
  /// @throws IOException when the write failed; some of the events may have been written
  void write(List<byte[]> events) throws IOException;

  @Override
  void close();
}
