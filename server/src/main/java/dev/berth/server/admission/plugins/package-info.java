/// The list of all plugins, and those without a room of their own: namespaces, nodes, accounts,
/// priorities, tolerations, certificates, roles.
///
/// Start at {@link dev.berth.server.admission.plugins.StandardAdmission}.
@NullMarked
package dev.berth.server.admission.plugins;

import org.jspecify.annotations.NullMarked;
