package dev.berth.agent.pods.worker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.agent.events.PodEvents;
import dev.berth.agent.pods.metrics.PodMetrics;
import dev.berth.client.ResourceClient;

/// What workers write: the pods' objects in the API, their events, and metrics.
public record WorkerOutputs(
    ResourceClient<ObjectNode> pods, PodEvents events, PodMetrics metrics) {}
