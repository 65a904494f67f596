/// What the server serves, as clients ask for it: groups, versions, resources, in the plain and in
/// the aggregated form.
///
/// Start at {@link dev.berth.server.discovery.DiscoveryDocuments}. Everything is derived from the
/// kinds' entries; nothing here knows of HTTP.
@NullMarked
package dev.berth.server.discovery;

import org.jspecify.annotations.NullMarked;
