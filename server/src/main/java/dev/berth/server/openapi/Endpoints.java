package dev.berth.server.openapi;

import dev.berth.server.kinds.Kinds;
import dev.berth.server.kinds.ReviewKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// All paths, by the part of the API that one v3 document describes: `api/v1`, `apis/apps/v1`,
/// `apis/apps`, `version`.
final class Endpoints {
  private final Map<String, List<Endpoint>> byDocument = new TreeMap<>();

  Endpoints(Kinds kinds) {
    add("api", describe("/api/", "getCoreAPIVersions", "core", Names.meta("APIVersions")));
    add("apis", describe("/apis/", "getAPIVersions", "apis", Names.meta("APIGroupList")));
    add("version", describe("/version/", "getCodeVersion", "version", BuiltIn.versionInfo()));
    kinds
        .all()
        .forEach(
            kind ->
                kind.versions()
                    .forEach(
                        served -> {
                          introduce(served.group(), served.version());
                          String document = document(served.group(), served.version());
                          KindEndpoints.of(kind, served).forEach(one -> add(document, one));
                        }));
    kinds
        .reviews()
        .forEach(
            review -> {
              introduce(review.group(), review.version());
              add(document(review.group(), review.version()), review(review));
            });
  }

  /// Keys without a leading slash.
  Map<String, List<Endpoint>> byDocument() {
    return byDocument;
  }

  private void introduce(String group, String version) {
    String document = document(group, version);
    if (byDocument.containsKey(document)) {
      return;
    }
    add(
        document,
        describe(
            "/" + document + "/",
            "get" + Names.groupVersion(group, version) + "APIResources",
            Names.tag(group, version),
            Names.meta("APIResourceList")));
    if (!group.isEmpty() && !byDocument.containsKey("apis/" + group)) {
      add(
          "apis/" + group,
          describe(
              "/apis/" + group + "/",
              "get" + Names.camel(group) + "APIGroup",
              Names.tag(group, ""),
              Names.meta("APIGroup")));
    }
  }

  private static Endpoint review(ReviewKind kind) {
    String scope = kind.namespaced() ? "/namespaces/{namespace}/" : "/";
    String definition = Names.definition(Names.type(kind.group(), kind.version(), kind.kind()));
    String id =
        "create"
            + Names.groupVersion(kind.group(), kind.version())
            + (kind.namespaced() ? "Namespaced" : "")
            + kind.kind();
    Operations operations =
        new Operations(
            Names.tag(kind.group(), kind.version()),
            new Gvk(kind.group(), kind.version(), kind.kind()));
    return Endpoint.of(
        Names.path(kind.group(), kind.version()) + scope + kind.plural(),
        List.of(operations.create(id, definition)));
  }

  private static Endpoint describe(String path, String id, String tag, String definition) {
    return Endpoint.of(path, List.of(Operations.describe(id, tag, definition)));
  }

  private static String document(String group, String version) {
    return Names.path(group, version).substring(1);
  }

  private void add(String document, Endpoint endpoint) {
    byDocument.computeIfAbsent(document, _ -> new ArrayList<>()).add(endpoint);
  }
}
