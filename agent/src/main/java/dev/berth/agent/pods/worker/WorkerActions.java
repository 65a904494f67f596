package dev.berth.agent.pods.worker;

import dev.berth.agent.pods.act.PodCleanup;
import dev.berth.agent.pods.act.StepRunner;
import dev.berth.agent.pods.admission.RejectionDelay;
import dev.berth.agent.pods.admission.ServiceResolver;
import dev.berth.agent.probes.ProbeWorkers;

/// What workers call to get something done about their pods, from admission to cleanup.
public record WorkerActions(
    ServiceResolver resolver,
    RejectionDelay rejections,
    StepRunner runner,
    ProbeWorkers probes,
    PodCleanup cleanup) {}
