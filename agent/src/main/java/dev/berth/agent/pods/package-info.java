/// Puts together the life of pods on this node; the packages below it do the work.
///
/// Start with [dev.berth.agent.pods.PodAgent], the entry, then
/// [dev.berth.agent.pods.worker.PodWorker]: one worker per pod observes (`observed`), decides
/// (`plan`), acts (`act`) and reports (`status`). `admission` decides which pods the node takes,
/// `eviction` which ones leave early, `staticpods` brings pods of manifest files, `logs` keeps log
/// files, `config` computes what runtime services are called with.
@NullMarked
package dev.berth.agent.pods;

import org.jspecify.annotations.NullMarked;
