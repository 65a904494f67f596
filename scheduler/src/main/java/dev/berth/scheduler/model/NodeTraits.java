package dev.berth.scheduler.model;

import dev.berth.api.Taint;
import java.util.List;
import java.util.Map;

/// Everything fixed about a node but what makes it this node: nodes with equal traits are of one
/// shape.
///
/// @param labels all but the host name
public record NodeTraits(
    Map<String, String> labels,
    List<Taint> taints,
    boolean isUnschedulable,
    ResourceVector allocatable,
    long maxPods,
    NodeRuntimes runtimes) {}
