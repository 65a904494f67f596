package dev.berth.vm.kernel;

import java.nio.file.Path;

/// What a guest boots.
///
/// @param identity changes whenever one of the files does, such as the digest of both
public record GuestFiles(Path kernel, Path initramfs, String identity) {}
