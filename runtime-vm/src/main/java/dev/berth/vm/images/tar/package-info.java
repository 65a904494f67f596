/// Reads tar streams of strangers: POSIX, pax and GNU, with bounds on everything.
///
/// Names and link targets are bytes, kept as strings of Latin-1 characters, one for each byte, so
/// that any name survives and strings sort as bytes do. Start with `TarReader`.
@NullMarked
package dev.berth.vm.images.tar;

import org.jspecify.annotations.NullMarked;
