package dev.berth.server.validation.containers;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;

/// The facts about a pod that the rules of its containers need; lives for one validation.
///
/// @param volumes the valid volumes by name
/// @param claims the names in `spec.resourceClaims`
/// @param graceSeconds negative when the pod has none
public record PodScope(
    Map<String, JsonNode> volumes,
    Set<String> claims,
    long graceSeconds,
    String restartPolicy,
    boolean hostUsers) {}
