/// One image name for several handlers on real containerd, with programs of another architecture.
/// Start at `TwoArchitecturesIT`.
@NullMarked
package dev.berth.checks.platforms;

import org.jspecify.annotations.NullMarked;
