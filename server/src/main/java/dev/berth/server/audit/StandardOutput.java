package dev.berth.server.audit;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/// Writes audit events to the standard output of the process.
///
/// `System.out` would lock and encode each event, and may be redirected by the process.
final class StandardOutput implements AuditOutput {
  private final OutputStream out =
      new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 64 << 10);

  @Override
  public void write(List<byte[]> events) throws IOException {
    for (byte[] event : events) {
      out.write(event);
      out.write('\n');
    }
    out.flush();
  }

  @Override
  public void close() {
    // The process owns standard output, so it is not closed.
  }
}
