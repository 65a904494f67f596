/// How parts of the launcher reach an API server: in the same process or by a kubeconfig, and with
/// a certificate that is still valid.
///
/// It uses `process` only. Start reading at {@link dev.berth.launch.connection.ServerConnection}.
@NullMarked
package dev.berth.launch.connection;

import org.jspecify.annotations.NullMarked;
