/// Commands that report on a cluster: `berth certs`, `classes` and `explain`.
///
/// Start reading at {@link dev.berth.cli.reports.ExplainCommand}.
@NullMarked
package dev.berth.cli.reports;

import org.jspecify.annotations.NullMarked;
