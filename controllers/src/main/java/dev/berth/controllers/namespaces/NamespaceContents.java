package dev.berth.controllers.namespaces;

import dev.berth.client.ApiClient;
import dev.berth.client.ApiException;
import dev.berth.client.ClientException;
import dev.berth.client.DeleteOptions;
import dev.berth.client.DeleteOptions.Propagation;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ResourceCatalog;
import dev.berth.client.ResourceClient;
import dev.berth.client.ServedResource;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// All objects in a namespace, of every kind that the server offers.
///
/// A pass costs a request for each namespaced kind, about forty at Berth's server, plus the
/// deletions.
final class NamespaceContents {
  private final ApiClient client;

  NamespaceContents(ApiClient client) {
    this.client = client;
  }

  /// Deletes every object and returns what remains. A kind that fails does not delay the others;
  /// objects with finalizers or a grace period remain for a while.
  NamespaceLeftovers delete(String namespace) {
    // Discovered in every pass: against an upstream server custom resources come and go.
    ResourceCatalog catalog = client.discovery().discover();
    Findings findings = new Findings();
    for (ServedResource resource : catalog.preferred()) {
      // Kinds without these verbs are reviews and bindings, which are not stored.
      if (resource.type().namespaced() && resource.allows("delete", "list")) {
        delete(resource, namespace, findings);
      }
    }
    return findings.finish(catalog.unavailable().stream().sorted().toList());
  }

  /// Deletes the objects of one kind. They are listed first and afterwards, and counted where they
  /// remain.
  private void delete(ServedResource resource, String namespace, Findings findings) {
    ResourceClient<ObjectMetadata> objects = client.metadata(resource.type());
    ListQuery all = ListQuery.inNamespace(namespace);
    try {
      List<ObjectMetadata> present = objects.list(all);
      // Most kinds have no object in a namespace: one list is cheaper than a delete and a list.
      if (!present.isEmpty()) {
        if (resource.allows("deletecollection")) {
          objects.deleteCollection(all, DeleteOptions.DEFAULT.with(Propagation.BACKGROUND));
        } else {
          present.forEach(object -> deleteOne(objects, object));
        }
        // Objects with a grace period or finalizers are still there; the conditions name them.
        findings.count(resource, objects.list(all));
      }
    } catch (ClientException e) {
      findings.failed(resource, e);
    }
  }

  private static void deleteOne(ResourceClient<ObjectMetadata> objects, ObjectMetadata object) {
    try {
      objects.delete(object.key(), DeleteOptions.ofUid(object.uid()).with(Propagation.BACKGROUND));
    } catch (ApiException e) {
      // The object is gone, or a new one has its name; the next pass sees the new one.
      if (!e.isNotFound() && !e.isConflict()) {
        throw e;
      }
    }
  }

  private static final class Findings {
    private final SortedMap<String, Integer> remaining = new TreeMap<>();
    private final SortedMap<String, Integer> finalizers = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    void count(ServedResource resource, List<ObjectMetadata> left) {
      if (!left.isEmpty()) {
        remaining.put(NamespaceLeftovers.name(resource.type()), left.size());
      }
      for (ObjectMetadata object : left) {
        object.finalizers().forEach(name -> finalizers.merge(name, 1, Integer::sum));
      }
    }

    void failed(ServedResource resource, ClientException failure) {
      failures.add("%s: %s".formatted(resource.type(), failure.getMessage()));
    }

    NamespaceLeftovers finish(List<String> undiscovered) {
      return new NamespaceLeftovers(remaining, finalizers, failures, undiscovered);
    }
  }
}
