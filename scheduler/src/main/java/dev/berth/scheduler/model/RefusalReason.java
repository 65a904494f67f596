package dev.berth.scheduler.model;

/// Why a filter refuses a node, in the text of the pod's event.
public record RefusalReason(RefusalCause cause, String text) {}
