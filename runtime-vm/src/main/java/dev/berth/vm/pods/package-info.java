/// The pods of this host: what is known of their sandboxes and containers, and the connections to
/// their guests.
///
/// Start with `PodInventory`.
@NullMarked
package dev.berth.vm.pods;

import org.jspecify.annotations.NullMarked;
