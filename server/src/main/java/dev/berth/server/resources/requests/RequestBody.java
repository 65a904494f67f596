package dev.berth.server.resources.requests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// A request body as a tree, independent of its encoding.
///
/// @param duplicates paths of duplicate fields
public record RequestBody(ObjectNode tree, List<String> duplicates) {}
