package dev.berth.server.auth;

import dev.berth.server.errors.ApiException;
import dev.berth.server.validation.GoText;

/// A request as authorization sees it: a user, a verb and a target.
///
/// @param verb for resources `get`, `list`, ...; for paths the HTTP method in lower case
public record AccessRequest(UserInfo user, String verb, Target target) {
  /// The target of the request.
  public sealed interface Target {
    /// An object, a collection (no name), or a subresource.
    ///
    /// @param namespace empty at the cluster scope; the namespace's own name for a namespace
    /// @param fieldSelector as in the query of list and watch, else empty
    public record Resource(
        String group,
        String version,
        String plural,
        String subresource,
        String namespace,
        String name,
        String fieldSelector)
        implements Target {
      public Resource(String group, String plural, String namespace, String name) {
        this(group, "", plural, "", namespace, name, "");
      }
    }

    /// A path that is not a resource, such as `/metrics`.
    public record Path(String path) implements Target {}
  }

  /// The 403 for this request, with upstream's text.
  public ApiException forbidden(String reason) {
    return switch (target) {
      case Target.Path(String path) -> ApiException.forbiddenPath(user.name(), verb, path);
      case Target.Resource resource ->
          ApiException.forbidden(
              new ApiException.Resource(resource.group(), resource.plural(), ""),
              resource.name(),
              explanation(resource) + (reason.isEmpty() ? "" : ": " + reason));
    };
  }

  private String explanation(Target.Resource resource) {
    String name = resource.plural();
    if (!resource.subresource().isEmpty()) {
      name += "/" + resource.subresource();
    }
    return "User %s cannot %s resource %s in API group %s %s"
        .formatted(
            GoText.quote(user.name()),
            verb,
            GoText.quote(name),
            GoText.quote(resource.group()),
            resource.namespace().isEmpty()
                ? "at the cluster scope"
                : "in the namespace " + GoText.quote(resource.namespace()));
  }
}
