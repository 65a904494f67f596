/// What an administrator says about runtime services: the agent's flags, its configuration, files
/// in a directory.
///
/// Everything is read and checked here, all mistakes at once, before anything is connected. Start
/// with [dev.berth.agent.runtimes.registration.EndpointFlags]; the rules that all sources share are
/// in `DeclarationRules`.
@NullMarked
package dev.berth.agent.runtimes.registration;

import org.jspecify.annotations.NullMarked;
