/// Writes EROFS file systems whose contents lie in the data of layers behind them.
///
/// The format is that of Linux 5.4 and later, without optional features: superblock, inodes (short
/// and extended) with their attributes and small contents inline, blocks of directories. Start with
/// `ErofsImage`. May use `layers`.
@NullMarked
package dev.berth.vm.images.erofs;

import org.jspecify.annotations.NullMarked;
