package dev.berth.vm.images.tar;

/// What an entry of a tar file stands for.
public enum TarEntryType {
  FILE,
  HARD_LINK,
  SYMLINK,
  CHARACTER_DEVICE,
  BLOCK_DEVICE,
  DIRECTORY,
  FIFO
}
