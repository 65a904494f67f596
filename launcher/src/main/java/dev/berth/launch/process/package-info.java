/// What a process of Berth needs whatever it runs: its life until a signal, its ports, its default
/// directory, its metrics and idle heap, and what it says when it cannot start.
///
/// It uses no other package of the launcher. Start reading at {@link
/// dev.berth.launch.process.ProcessLifetime}.
@NullMarked
package dev.berth.launch.process;

import org.jspecify.annotations.NullMarked;
