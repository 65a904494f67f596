/// What a call to a runtime service costs, with and without a hop.
///
/// Start with [dev.berth.bench.cri.CriBench].
@NullMarked
package dev.berth.bench.cri;

import org.jspecify.annotations.NullMarked;
