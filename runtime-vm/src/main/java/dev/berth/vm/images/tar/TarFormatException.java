package dev.berth.vm.images.tar;

import java.io.IOException;

/// The stream is no tar file, or one that is not accepted. The message is the reason.
public final class TarFormatException extends IOException {
  private static final long serialVersionUID = 1;

  public TarFormatException(String reason) {
    super(reason);
  }
}
