package dev.berth.cri.streaming;

/// Receives what the client of a remote command sends. Calls come on one thread; a receiver that
/// blocks slows the client down, as a full pipe does.
public interface CommandInput {
  void feed(byte[] bytes);

  /// The client sends no more input.
  void endInput();

  /// The client's terminal has a new size, in characters.
  void resize(int width, int height);
}
