/// Simulated images: what a registry would have, which entry of an index fits a handler, and what
/// was pulled for which handler. Start at `ImageCatalog` and `ImageStore`.
@NullMarked
package dev.berth.sim.images;

import org.jspecify.annotations.NullMarked;
