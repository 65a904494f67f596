/// Which entry of an image index runs where: platforms, their order of preference, and the
/// compatibility of Windows builds. Pure values without I/O. Start at `PlatformMatcher`.
@NullMarked
package dev.berth.registry.platforms;

import org.jspecify.annotations.NullMarked;
