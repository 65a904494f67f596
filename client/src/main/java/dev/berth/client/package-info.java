/// One way to talk to an API server, ours or an upstream one: requests, informer caches, work
/// queues, leader election.
///
/// Start with [dev.berth.client.ApiClient]; a reconcile loop is an [dev.berth.client.Informer] that
/// fills a [dev.berth.client.WorkQueue] which a [dev.berth.client.ReconcileLoop] empties. The
/// package uses fabric8 for configuration, credentials and HTTP, and knows nothing of the server.
@NullMarked
package dev.berth.client;

import org.jspecify.annotations.NullMarked;
