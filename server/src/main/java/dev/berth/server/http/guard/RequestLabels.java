package dev.berth.server.http.guard;

import dev.berth.server.http.routing.RequestInfo;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ReviewKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The metric labels of a request.
///
/// Contains only values that the server knows: a label value lives for ever, and a client could
/// invent any number.
///
/// Unknown verbs and resources become `OTHER` and empty labels.
record RequestLabels(
    String verb, String group, String version, String resource, String subresource, String scope) {
  private static final Set<String> VERBS =
      Set.of(
          "get",
          "list",
          "watch",
          "create",
          "update",
          "patch",
          "delete",
          "deletecollection",
          "post",
          "put",
          "head",
          "options");

  static RequestLabels of(RequestInfo info, ServedKinds kinds) {
    String verb = VERBS.contains(info.verb()) ? info.verb().toUpperCase(Locale.ROOT) : "OTHER";
    Optional<ResourceKind> kind = kinds.resource(info.group(), info.version(), info.resource());
    if (kind.isEmpty() && !isReview(info, kinds)) {
      return new RequestLabels(verb, "", "", "", "", "");
    }
    boolean known = kind.flatMap(found -> found.subresource(info.subresource())).isPresent();
    return new RequestLabels(
        verb,
        info.group(),
        info.version(),
        info.resource(),
        known ? info.subresource() : "",
        scope(info));
  }

  private static boolean isReview(RequestInfo info, ServedKinds kinds) {
    for (ReviewKind review : kinds.reviews()) {
      if (review.group().equals(info.group())
          && review.version().equals(info.version())
          && review.plural().equals(info.resource())) {
        return true;
      }
    }
    return false;
  }

  private static String scope(RequestInfo info) {
    if (!info.name().isEmpty()) {
      return "resource";
    }
    return info.namespace().isEmpty() ? "cluster" : "namespace";
  }
}
