package dev.berth.server.openapi;

import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.Verb;
import java.util.ArrayList;
import java.util.List;

/// The paths of one kind in one served version.
///
/// Names of operations follow upstream's rules exactly, because generated clients make their
/// methods from them.
final class KindEndpoints {
  private final ResourceKind kind;
  private final String base;
  private final String groupVersion;
  private final String scope;
  private final String name;
  private final String definition;
  private final OpenApiOperations operations;

  KindEndpoints(ResourceKind kind, ServedVersion served) {
    this.kind = kind;
    this.base = OpenApiNames.path(served.group(), served.version());
    this.groupVersion = OpenApiNames.groupVersion(served.group(), served.version());
    this.scope = kind.namespaced() ? "Namespaced" : "";
    this.name = kind.names().kind();
    this.definition = OpenApiNames.definition(served.type().name());
    this.operations =
        new OpenApiOperations(
            OpenApiNames.tag(served.group(), served.version()),
            new GroupVersionKind(served.group(), served.version(), name));
  }

  static List<OpenApiPath> of(ResourceKind kind, ServedVersion served) {
    KindEndpoints maker = new KindEndpoints(kind, served);
    List<OpenApiPath> endpoints = new ArrayList<>(maker.own());
    SubresourceEndpoints below =
        new SubresourceEndpoints(kind, served, maker.collection("") + "/{name}");
    kind.subresources().forEach(sub -> endpoints.addAll(below.of(sub)));
    return endpoints;
  }

  private List<OpenApiPath> own() {
    List<OpenApiPath> endpoints = new ArrayList<>();
    endpoints.add(OpenApiPath.of(collection(""), onCollection()));
    if (has(Verb.GET)) {
      endpoints.add(OpenApiPath.of(collection("") + "/{name}", onItem()));
    }
    if (kind.namespaced() && has(Verb.LIST)) {
      String id = "list" + groupVersion + name + "ForAllNamespaces";
      endpoints.add(
          OpenApiPath.of(base + "/" + plural(), List.of(operations.list(id, definition + "List"))));
    }
    if (has(Verb.WATCH)) {
      String watched = collection("/watch");
      endpoints.add(watch(watched, "watchlist", scope + name + "List"));
      endpoints.add(watch(watched + "/{name}", "watch", scope + name));
      if (kind.namespaced()) {
        String everywhere = base + "/watch/" + plural();
        endpoints.add(watch(everywhere, "watchlist", name + "ListForAllNamespaces"));
      }
    }
    return endpoints;
  }

  private List<OpenApiOperation> onCollection() {
    List<OpenApiOperation> list = new ArrayList<>();
    if (has(Verb.LIST)) {
      list.add(operations.list(id("list"), definition + "List"));
    }
    if (has(Verb.CREATE)) {
      list.add(operations.create(id("create"), definition));
    }
    if (has(Verb.DELETECOLLECTION)) {
      list.add(operations.deleteCollection("delete" + groupVersion + "Collection" + scope + name));
    }
    return list;
  }

  private List<OpenApiOperation> onItem() {
    List<OpenApiOperation> list = new ArrayList<>();
    list.add(operations.read(id("read"), definition));
    if (has(Verb.UPDATE)) {
      list.add(operations.replace(id("replace"), definition));
    }
    if (has(Verb.PATCH)) {
      list.add(operations.patch(id("patch"), definition));
    }
    if (has(Verb.DELETE)) {
      String answer = kind.behaviour().returnsDeleted() ? definition : OpenApiNames.meta("Status");
      list.add(operations.delete(id("delete"), answer));
    }
    return list;
  }

  private OpenApiPath watch(String path, String action, String suffix) {
    return OpenApiPath.of(path, List.of(operations.watch("watch" + groupVersion + suffix, action)));
  }

  private String id(String word) {
    return word + groupVersion + scope + name;
  }

  private boolean has(Verb verb) {
    return kind.verbs().contains(verb);
  }

  private String plural() {
    return kind.names().plural();
  }

  private String collection(String infix) {
    return base + infix + (kind.namespaced() ? "/namespaces/{namespace}/" : "/") + plural();
  }
}
