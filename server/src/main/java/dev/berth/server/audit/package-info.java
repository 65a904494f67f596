/// The audit log: which requests are recorded ([AuditPolicy]), what is recorded of one
/// ([RequestAudit]), and where it goes ([AuditLog], [AuditFile]).
///
/// Start reading at [AuditRecorder].
@NullMarked
package dev.berth.server.audit;

import org.jspecify.annotations.NullMarked;
