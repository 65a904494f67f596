package dev.berth.vm.images.layers;

import java.io.IOException;

/// A layer has something that no image may have. The message is the reason.
public final class LayerFormatException extends IOException {
  private static final long serialVersionUID = 1;

  public LayerFormatException(String reason) {
    super(reason);
  }
}
