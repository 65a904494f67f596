/// The parts of configurations that are special to Windows.
///
/// Start with [dev.berth.agent.pods.config.windows.WindowsPlatform].
@NullMarked
package dev.berth.agent.pods.config.windows;

import org.jspecify.annotations.NullMarked;
