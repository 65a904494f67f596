/// Loops that keep the cluster in order: namespaces, service accounts, the published root
/// certificate, owner references, old events.
///
/// One class per loop, each level-triggered: it looks at what is, never at what happened. Start
/// with [dev.berth.controllers.RunningControllers]; the garbage collector has its own package.
/// Everything goes through the client, so the loops also run against an upstream API server.
@NullMarked
package dev.berth.controllers;

import org.jspecify.annotations.NullMarked;
