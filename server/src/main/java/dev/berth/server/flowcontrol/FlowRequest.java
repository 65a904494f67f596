package dev.berth.server.flowcontrol;

import dev.berth.server.auth.UserInfo;
import java.net.SocketAddress;

/// The attributes of a request that flow schemas match.
///
/// @param userFlow the user's name; anonymous users are distinguished by address
/// @param client the peer of the connection
/// @param path only for requests that are not about resources
public record FlowRequest(
    UserInfo user,
    String userFlow,
    SocketAddress client,
    String verb,
    boolean isResource,
    String path,
    String group,
    String resource,
    String subresource,
    String namespace) {

  boolean isAbout(String wantedGroup, String wantedResource) {
    return isResource && group.equals(wantedGroup) && resource.equals(wantedResource);
  }
}
