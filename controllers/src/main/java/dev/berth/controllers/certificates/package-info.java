/// CertificateSigningRequests: approval, signing and cleanup. Start with [CertificateApproval].
@NullMarked
package dev.berth.controllers.certificates;

import org.jspecify.annotations.NullMarked;
