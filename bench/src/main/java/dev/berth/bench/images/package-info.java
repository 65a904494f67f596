/// What lookups, pulls and steering by images cost.
///
/// Start with [dev.berth.bench.images.ImageBench].
@NullMarked
package dev.berth.bench.images;

import org.jspecify.annotations.NullMarked;
