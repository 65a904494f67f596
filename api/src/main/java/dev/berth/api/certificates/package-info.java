/// X.509 as the cluster uses it: which names a node's certificate may carry. Start with
/// [NodeServingNames].
@NullMarked
package dev.berth.api.certificates;

import org.jspecify.annotations.NullMarked;
