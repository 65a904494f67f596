/// The filters that decide which nodes are feasible for a pod, one class and one kind of reason
/// each; the list is in [dev.berth.scheduler.filters.FilterList].
@NullMarked
package dev.berth.scheduler.filters;

import org.jspecify.annotations.NullMarked;
