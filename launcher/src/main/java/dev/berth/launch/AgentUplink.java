package dev.berth.launch;

import dev.berth.client.ApiClient;
import java.net.URI;

/// How an agent reaches its API server.
///
/// @param client with the node's own identity; stays open
/// @param authority that signed the certificates of the API server and of those who call the node,
///   in PEM
record AgentUplink(ApiClient client, URI server, String authority) {}
