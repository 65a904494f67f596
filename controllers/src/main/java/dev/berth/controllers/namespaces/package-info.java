/// The objects of every active namespace (default service account, root certificate), and the
/// deletion of a namespace's contents.
@NullMarked
package dev.berth.controllers.namespaces;

import org.jspecify.annotations.NullMarked;
