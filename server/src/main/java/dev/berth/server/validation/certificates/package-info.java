/// Rules of CertificateSigningRequest.
///
/// Start at {@link dev.berth.server.validation.certificates.CertificateRequestValidation}.
@NullMarked
package dev.berth.server.validation.certificates;

import org.jspecify.annotations.NullMarked;
