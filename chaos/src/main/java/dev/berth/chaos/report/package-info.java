/// Writes the report of a run as Markdown with a plot.
@NullMarked
package dev.berth.chaos.report;

import org.jspecify.annotations.NullMarked;
