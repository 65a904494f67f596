/// Answers to questions about a cluster: why a pod is not scheduled, which nodes serve a
/// RuntimeClass, when certificates expire.
///
/// It starts nothing. Start reading at {@link dev.berth.launch.reports.SchedulingReports}.
@NullMarked
package dev.berth.launch.reports;

import org.jspecify.annotations.NullMarked;
