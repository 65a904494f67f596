/// Counts the usage of a namespace's ResourceQuotas.
///
/// Start at {@link dev.berth.controllers.quotas.ResourceQuotas}. The API server charges and frees
/// quotas itself as objects come and go; this controller makes the first count, and corrects errors
/// after crashes and races.
@NullMarked
package dev.berth.controllers.quotas;

import org.jspecify.annotations.NullMarked;
