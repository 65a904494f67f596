package dev.berth.server.audit;

import java.io.IOException;
import java.util.List;

/// Where events go; used by one thread.
interface AuditOutput extends AutoCloseable {
  /// Writes events, a line each.
  ///
  /// @throws IOException when they could not be written; none or some of them are
  void write(List<byte[]> events) throws IOException;

  @Override
  void close();
}
