/// Deletes objects whose owners are gone, and carries out foreground and orphaning deletion.
///
/// [dev.berth.controllers.gc.ResourceMonitors] watches the metadata of every kind and keeps
/// [dev.berth.controllers.gc.OwnerGraph] up to date, which says which objects deserve a look;
/// [dev.berth.controllers.gc.GarbageCollector] looks, always at the live objects, and acts. Nothing
/// is deleted because of what the graph says, and nothing because a server did not answer.
@NullMarked
package dev.berth.controllers.gc;

import org.jspecify.annotations.NullMarked;
