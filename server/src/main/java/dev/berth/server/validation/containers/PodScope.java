package dev.berth.server.validation.containers;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;

/// What the rules of a container need to know of its pod; lives as long as one validation.
///
/// @param volumes the good volumes by name
/// @param claims the names in `spec.resourceClaims`
/// @param graceSeconds negative when the pod has none
public record PodScope(
    Map<String, JsonNode> volumes,
    Set<String> claims,
    long graceSeconds,
    String restartPolicy,
    boolean hostUsers) {}
