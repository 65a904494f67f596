package dev.berth.relay;

import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.exception.BadPayloadException;
import org.eclipse.jetty.websocket.core.internal.NullAppendable;

/// Checks that the text messages of a WebSocket client are UTF-8, without keeping them.
///
/// Jetty's own extension `@validation` stops checking a message at its first control frame and at
/// its third fragment (12.1.12), so that it is not used.
public final class WebSocketText {
  private NullAppendable text = new NullAppendable();
  private boolean isText;

  /// Checks the next data frame; a character may extend over two frames.
  ///
  /// @throws BadPayloadException when the message is text and no UTF-8
  public void check(Frame frame) {
    if (frame.getOpCode() != OpCode.CONTINUATION) {
      isText = frame.getOpCode() == OpCode.TEXT;
      text = new NullAppendable();
    }
    if (!isText) {
      return;
    }
    text.append(frame.getPayload().slice());
    if (frame.isFin()) {
      text.complete();
    }
    if (text.hasCodingErrors()) {
      throw new BadPayloadException("a text message is not UTF-8");
    }
  }
}
