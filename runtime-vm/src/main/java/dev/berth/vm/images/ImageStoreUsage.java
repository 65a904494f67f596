package dev.berth.vm.images;

import java.nio.file.Path;

/// What the images use on disk.
///
/// @param directory a path on their file system
public record ImageStoreUsage(Path directory, long bytes, long files) {}
