/// Does what a plan says, one class per kind of action.
///
/// Start with [dev.berth.agent.pods.act.StepRunner]. Every action may be interrupted; what it did
/// is put into the view of the service, so that the next plan is made of it.
@NullMarked
package dev.berth.agent.pods.act;

import org.jspecify.annotations.NullMarked;
