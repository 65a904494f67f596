/// Priority and fairness: which request is served next when more arrive than can be served at once.
///
/// {@link dev.berth.server.flowcontrol.FlowSchemas} says which priority level and which flow a
/// request belongs to, {@code SeatScheduler} decides who gets the next seats (no lock, no clock),
/// {@link dev.berth.server.flowcontrol.FlowController} locks, waits and counts. Start at the last
/// one. Uses `auth` for the user and `errors` for refusals.
@NullMarked
package dev.berth.server.flowcontrol;

import org.jspecify.annotations.NullMarked;
