/// Pod Security Standards of namespaces, applied to writes.
///
/// Start at {@link dev.berth.server.admission.podsecurity.PodSecurityAdmission}.
@NullMarked
package dev.berth.server.admission.podsecurity;

import org.jspecify.annotations.NullMarked;
