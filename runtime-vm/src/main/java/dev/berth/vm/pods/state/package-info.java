/// What is on disk of sandboxes and containers: one file each, written before the call is answered.
///
/// Start with `StateDirectory`.
@NullMarked
package dev.berth.vm.pods.state;

import org.jspecify.annotations.NullMarked;
