package dev.berth.vm.images.layers;

/// What an entry of a layer does.
public enum LayerEntryType {
  FILE('f'),
  DIRECTORY('d'),
  SYMLINK('s'),
  CHARACTER_DEVICE('c'),
  BLOCK_DEVICE('b'),
  FIFO('p'),
  /// Another name of a file of this or a lower layer.
  HARD_LINK('l'),
  /// Removes a path of lower layers.
  WHITEOUT('w'),
  /// Removes what lower layers have in a directory.
  OPAQUE('o');

  /// In the index on disk.
  final byte code;

  LayerEntryType(char code) {
    this.code = (byte) code;
  }

  /// The type with a code, which must exist.
  static LayerEntryType of(byte code) {
    for (LayerEntryType type : values()) {
      if (type.code == code) {
        return type;
      }
    }
    throw new IllegalArgumentException("no entry has type %d".formatted(code));
  }
}
