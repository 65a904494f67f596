/// What may be created, changed and deleted beyond validation: an ordered chain, one class per
/// plugin, after upstream's. The plugins are in the rooms below; `admission.plugins` has their
/// list.
///
/// Start at {@link dev.berth.server.admission.AdmissionChain}.
@NullMarked
package dev.berth.server.admission;

import org.jspecify.annotations.NullMarked;
