/// What the control plane does about nodes: whether they are alive, which taints that means, what
/// becomes of their pods, and which runtimes they offer.
@NullMarked
package dev.berth.controllers.nodes;

import org.jspecify.annotations.NullMarked;
