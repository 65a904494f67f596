/// Drawings of results.
///
/// Start with [dev.berth.bench.reports.SvgBars].
@NullMarked
package dev.berth.bench.reports;

import org.jspecify.annotations.NullMarked;
