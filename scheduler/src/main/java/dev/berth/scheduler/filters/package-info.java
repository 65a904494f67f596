/// The rules that say which nodes do for a pod, one class and one sort of reason each; the list is
/// in [dev.berth.scheduler.filters.FilterList].
@NullMarked
package dev.berth.scheduler.filters;

import org.jspecify.annotations.NullMarked;
