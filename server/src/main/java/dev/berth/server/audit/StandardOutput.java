package dev.berth.server.audit;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/// The standard output of the process, for those who collect it.
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
    // It belongs to the process.
  }
}
