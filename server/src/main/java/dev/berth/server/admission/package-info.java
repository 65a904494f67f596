/// What may be created, changed and deleted beyond validation: an ordered chain, one class per
/// plugin.
///
/// Start at {@link dev.berth.server.admission.AdmissionChain}. Plugins look other objects up
/// through {@link dev.berth.server.auth.ObjectReader} only, which reads memory.
@NullMarked
package dev.berth.server.admission;

import org.jspecify.annotations.NullMarked;
