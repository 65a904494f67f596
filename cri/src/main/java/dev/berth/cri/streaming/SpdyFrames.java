package dev.berth.cri.streaming;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufUtil;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.embedded.EmbeddedChannel;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.grpc.netty.shaded.io.netty.handler.codec.spdy.SpdyVersion;
import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Encodes and decodes SPDY/3.1 frames for blocking code, with Netty's codec. One instance serves
/// one direction of one connection, because headers are compressed over all frames. Not safe for
/// several threads.
public final class SpdyFrames implements AutoCloseable {
  private final EmbeddedChannel codec =
      new EmbeddedChannel(new SpdyFrameCodec(SpdyVersion.SPDY_3_1));

  /// Decodes bytes into the frames that they complete.
  ///
  /// @throws ProtocolException when the bytes are not SPDY/3.1
  public List<SpdyFrame> decode(ByteBuffer bytes) throws ProtocolException {
    try {
      codec.writeInbound(Unpooled.copiedBuffer(bytes));
    } catch (Exception e) {
      // Netty throws checked exceptions of its handlers without declaring them.
      throw (ProtocolException) new ProtocolException("not a frame of SPDY/3.1").initCause(e);
    }
    List<SpdyFrame> frames = new ArrayList<>();
    for (SpdyFrame frame = codec.readInbound(); frame != null; frame = codec.readInbound()) {
      frames.add(frame);
    }
    return frames;
  }

  public byte[] encode(SpdyFrame frame) {
    codec.writeOutbound(frame);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (ByteBuf part = codec.readOutbound(); part != null; part = codec.readOutbound()) {
      bytes.writeBytes(ByteBufUtil.getBytes(part));
      part.release();
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    codec.finishAndReleaseAll();
  }
}
