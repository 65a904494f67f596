/// What a namespace needs while it lives (its default service account, the root certificate) and
/// what must go when it is deleted.
@NullMarked
package dev.berth.controllers.namespaces;

import org.jspecify.annotations.NullMarked;
