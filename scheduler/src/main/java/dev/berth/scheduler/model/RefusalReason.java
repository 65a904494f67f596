package dev.berth.scheduler.model;

/// Why a node does not do for a pod, in the words of the pod's event.
public record RefusalReason(RefusalCause cause, String text) {}
