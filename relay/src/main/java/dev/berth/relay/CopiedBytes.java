package dev.berth.relay;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.util.BufferUtil;

/// A session that copies bytes unchanged, because both sides speak the same protocol.
record CopiedBytes(OutputStream client, OutputStream backend) implements RelaySession {
  @Override
  public boolean fromClient(ByteBuffer bytes) throws IOException {
    BufferUtil.writeTo(bytes, backend);
    backend.flush();
    return true;
  }

  @Override
  public boolean fromBackend(ByteBuffer bytes) throws IOException {
    BufferUtil.writeTo(bytes, client);
    return true;
  }
}
