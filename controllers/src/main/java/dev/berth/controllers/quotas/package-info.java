/// Counts what the objects of a namespace use of its ResourceQuotas.
///
/// Start at {@link dev.berth.controllers.quotas.ResourceQuotas}. The API server charges and frees
/// quotas itself as objects come and go; this loop makes the first count, and corrects what crashes
/// and races left wrong.
@NullMarked
package dev.berth.controllers.quotas;

import org.jspecify.annotations.NullMarked;
