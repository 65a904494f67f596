/// The cluster's keys and certificates: made on the first start, read on later ones, renewed in
/// time, private to the owner.
///
/// Start at {@link dev.berth.server.pki.ClusterPki}; certificates are put together in `X509Signer`.
@NullMarked
package dev.berth.server.pki;

import org.jspecify.annotations.NullMarked;
