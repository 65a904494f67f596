/// X.509 as the cluster uses it: requests for certificates, signers and their rules, and which
/// names a node's certificate may carry. Start with [CertificateRequest] and [NodeServingNames].
@NullMarked
package dev.berth.api.certificates;

import org.jspecify.annotations.NullMarked;
