/// `berth runtimes` for the runtime services of a running agent, and `berth sim`.
///
/// Start reading at {@link dev.berth.cli.runtimes.RuntimesCommand}.
@NullMarked
package dev.berth.cli.runtimes;

import org.jspecify.annotations.NullMarked;
