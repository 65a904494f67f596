package dev.berth.server.http.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// TLS that passes several records of a long answer to the kernel in one write; Jetty alone writes
/// each record separately.
///
/// A list of some megabytes would otherwise cost one system call per 16 KiB. Jetty asks for a
/// buffer of one record and lets the engine wrap once; here the buffer is larger and the engine
/// wraps until the buffer is full. Handshakes and short answers are handled as Jetty has them.
final class BatchedTls extends SslConnectionFactory {
  /// The largest payload of a TLS record (RFC 8446 section 5.1).
  private static final int RECORD = 16 << 10;

  /// Records per write of a long answer.
  private static final int RECORDS = 8;

  BatchedTls(SslContextFactory.Server tls, String nextProtocol) {
    super(tls, nextProtocol);
  }

  /// Each connection has its own hint, because one may send lists while another sends events.
  @Override
  protected SslConnection newSslConnection(Connector connector, EndPoint to, SSLEngine engine) {
    Room room = new Room(connector.getByteBufferPool());
    return new Wide(room, connector.getExecutor(), getSslContextFactory(), to, engine);
  }

  /// Hands out buffers for one record, or for several records while a long answer is sent.
  private static final class Room extends ByteBufferPool.Wrapper {
    // A hint for the size of the next buffer, without a lock: reading a stale value costs only
    // speed.
    private boolean isLong;

    Room(ByteBufferPool pool) {
      super(pool);
    }

    @Override
    public RetainableByteBuffer.Mutable acquire(int size, boolean direct) {
      return super.acquire(isLong ? RECORDS * size : size, direct);
    }
  }

  private static final class Wide extends SslConnection {
    private final Room room;

    Wide(Room room, Executor executor, SslContextFactory tls, EndPoint to, SSLEngine engine) {
      super(room, executor, tls, to, engine, false, false);
      this.room = room;
    }

    @Override
    protected SslEndPoint newSslEndPoint() {
      return new SslEndPoint() {
        @Override
        public boolean flush(ByteBuffer... answer) throws IOException {
          room.isLong = BufferUtil.remaining(answer) > RECORD;
          return super.flush(answer);
        }
      };
    }

    @Override
    protected SSLEngineResult wrap(SSLEngine engine, ByteBuffer[] from, ByteBuffer to)
        throws SSLException {
      SSLEngineResult last = super.wrap(engine, from, to);
      int consumed = last.bytesConsumed();
      int produced = last.bytesProduced();
      // Another record is only safe while the engine is in its plain state: during a handshake or a
      // close Jetty must see each result.
      while (isPlain(last)
          && to.remaining() >= engine.getSession().getPacketBufferSize()
          && !BufferUtil.isEmpty(from)) {
        last = super.wrap(engine, from, to);
        consumed += last.bytesConsumed();
        produced += last.bytesProduced();
      }
      return new SSLEngineResult(last.getStatus(), last.getHandshakeStatus(), consumed, produced);
    }

    private static boolean isPlain(SSLEngineResult result) {
      return result.getStatus() == Status.OK
          && result.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }
  }
}
