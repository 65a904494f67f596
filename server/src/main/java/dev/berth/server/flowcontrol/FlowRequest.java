package dev.berth.server.flowcontrol;

import dev.berth.server.auth.UserInfo;

/// What flow schemas look at.
///
/// @param userFlow the user's name; users who have none are distinguished by their addresses
/// @param path only for requests that are not about resources
public record FlowRequest(
    UserInfo user,
    String userFlow,
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
