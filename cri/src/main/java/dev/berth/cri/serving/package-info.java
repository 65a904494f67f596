/// What our own runtime services share when they serve CRI: refusals, answers, event streams, ids
/// and their lookup. The texts of refusals are containerd's, because clients match them.
@NullMarked
package dev.berth.cri.serving;

import org.jspecify.annotations.NullMarked;
