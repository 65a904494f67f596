/// The same pods read by server, scheduler, controllers, agent and command line: a pod means the
/// same to all of them. The rules are in `dev.berth.api.pods`.
@org.jspecify.annotations.NullMarked
package dev.berth.checks.podrules;
