package dev.berth.server.resources.requests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// A request's body as a tree, whatever it was written in.
///
/// @param duplicates the paths of fields that were given more than once
public record RequestBody(ObjectNode tree, List<String> duplicates) {}
