/// Rules of the kinds that make pods from a template.
///
/// Start at {@link dev.berth.server.validation.workloads.WorkloadRules}.
@NullMarked
package dev.berth.server.validation.workloads;

import org.jspecify.annotations.NullMarked;
