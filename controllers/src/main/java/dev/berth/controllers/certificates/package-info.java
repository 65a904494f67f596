/// CertificateSigningRequests: which are approved, who signs them, when they go. Start with
/// [CertificateApproval].
@NullMarked
package dev.berth.controllers.certificates;

import org.jspecify.annotations.NullMarked;
