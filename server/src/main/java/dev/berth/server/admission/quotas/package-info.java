/// LimitRanges and ResourceQuotas: defaults, limits, and charges for what is created.
///
/// Start at {@link dev.berth.server.admission.quotas.QuotaAdmission}.
@NullMarked
package dev.berth.server.admission.quotas;

import org.jspecify.annotations.NullMarked;
