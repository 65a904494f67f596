package dev.berth.server.openapi;

import dev.berth.server.kinds.ReviewKind;
import dev.berth.server.kinds.catalog.ServedKinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// All paths, by v3 document: `api/v1`, `apis/apps/v1`, `apis/apps`, `version`.
///
/// The documents of v3 are the units that clients fetch and cache, so each group version has its
/// own.
final class OpenApiPaths {
  private final Map<String, List<OpenApiPath>> byDocument = new TreeMap<>();

  OpenApiPaths(ServedKinds kinds) {
    add("api", describe("/api/", "getCoreAPIVersions", "core", OpenApiNames.meta("APIVersions")));
    add("apis", describe("/apis/", "getAPIVersions", "apis", OpenApiNames.meta("APIGroupList")));
    add(
        "version",
        describe("/version/", "getCodeVersion", "version", BuiltInDefinitions.versionInfo()));
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
  Map<String, List<OpenApiPath>> byDocument() {
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
            "get" + OpenApiNames.groupVersion(group, version) + "APIResources",
            OpenApiNames.tag(group, version),
            OpenApiNames.meta("APIResourceList")));
    if (!group.isEmpty() && !byDocument.containsKey("apis/" + group)) {
      add(
          "apis/" + group,
          describe(
              "/apis/" + group + "/",
              "get" + OpenApiNames.camel(group) + "APIGroup",
              OpenApiNames.tag(group, ""),
              OpenApiNames.meta("APIGroup")));
    }
  }

  private static OpenApiPath review(ReviewKind kind) {
    String scope = kind.namespaced() ? "/namespaces/{namespace}/" : "/";
    String definition =
        OpenApiNames.definition(OpenApiNames.type(kind.group(), kind.version(), kind.kind()));
    String id =
        "create"
            + OpenApiNames.groupVersion(kind.group(), kind.version())
            + (kind.namespaced() ? "Namespaced" : "")
            + kind.kind();
    OpenApiOperations operations =
        new OpenApiOperations(
            OpenApiNames.tag(kind.group(), kind.version()),
            new GroupVersionKind(kind.group(), kind.version(), kind.kind()));
    return OpenApiPath.of(
        OpenApiNames.path(kind.group(), kind.version()) + scope + kind.plural(),
        List.of(operations.create(id, definition)));
  }

  private static OpenApiPath describe(String path, String id, String tag, String definition) {
    return OpenApiPath.of(path, List.of(OpenApiOperations.describe(id, tag, definition)));
  }

  private static String document(String group, String version) {
    return OpenApiNames.path(group, version).substring(1);
  }

  private void add(String document, OpenApiPath endpoint) {
    byDocument.computeIfAbsent(document, _ -> new ArrayList<>()).add(endpoint);
  }
}
