package dev.berth.scheduler.model;

import dev.berth.api.Taint;
import dev.berth.registry.placement.HandlerPlatforms;
import java.util.List;
import java.util.Map;

/// The static properties of a node without its identity: nodes with equal traits have one shape.
///
/// @param labels all labels but the host name
/// @param platforms what the handlers run
public record NodeTraits(
    Map<String, String> labels,
    List<Taint> taints,
    boolean isUnschedulable,
    ResourceVector allocatable,
    long maxPods,
    ReportedRuntimes runtimes,
    HandlerPlatforms platforms) {}
