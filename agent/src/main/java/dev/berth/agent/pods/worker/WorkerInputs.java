package dev.berth.agent.pods.worker;

import dev.berth.agent.pods.act.TerminationMessage;
import dev.berth.agent.pods.config.NodeSettings;
import dev.berth.agent.pods.config.PlatformConfig;
import dev.berth.agent.runtimes.RuntimeServices;

/// What workers read: the node, its runtime services, and what those have of each pod.
public record WorkerInputs(
    NodeSettings node,
    PlatformConfig platform,
    RuntimeServices runtimes,
    ServiceObservers observers,
    TerminationMessage terminationMessage) {}
