package dev.berth.server.admission.plugins;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodAnnotations;
import dev.berth.api.pods.PodSource;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.AdmissionPlugin;
import dev.berth.server.auth.ObjectReader;
import dev.berth.server.auth.nodes.NodeAuthorizer;
import dev.berth.server.auth.nodes.PodReferences;
import dev.berth.server.errors.ApiException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Confines a node's writes to its own node, lease, CSINode and pods (upstream's
/// `NodeRestriction`).
///
/// `NodeAuthorizer` has decided which kinds a node may write; only here the object is known. A user
/// counts as a node by the prefix of its name together with the group `system:nodes`. Rules are
/// checked before other plugins change the object, as upstream does.
final class NodeRestriction implements AdmissionPlugin {
  private static final String NODE_LEASES = "kube-node-lease";
  private static final String OWNERS = "/metadata/ownerReferences";

  private final ObjectReader objects;

  NodeRestriction(ObjectReader objects) {
    this.objects = objects;
  }

  @Override
  public void mutate(AdmissionAttributes attributes) {
    if (attributes.operation() != Operation.DELETE) {
      admit(attributes);
    }
  }

  @Override
  public void validate(AdmissionAttributes attributes) {
    if (attributes.operation() == Operation.DELETE) {
      admit(attributes);
    }
  }

  private void admit(AdmissionAttributes attributes) {
    String node = NodeAuthorizer.nodeName(attributes.user());
    if (node == null) {
      return;
    }
    if (node.isEmpty()) {
      throw attributes.forbidden(
          "could not determine node from user \"" + attributes.user().name() + "\"");
    }
    if (attributes.isOn("", "pods")) {
      admitPods(node, attributes);
    } else if (attributes.isOn("", "nodes")) {
      admitNode(node, attributes);
    } else if (attributes.isOn("coordination.k8s.io", "leases")) {
      admitLease(node, attributes);
    } else if (attributes.isOn("storage.k8s.io", "csinodes")
        && !attributes.displayName().equals(node)) {
      throw attributes.forbidden(
          "can only access CSINode with the same name as the requesting node");
    }
  }

  private void admitPods(String node, AdmissionAttributes attributes) {
    switch (attributes.subresource()) {
      case "" -> admitPod(node, attributes);
      case "status" -> admitPodStatus(node, attributes);
      case "eviction" -> admitEviction(node, attributes);
      default ->
          throw attributes.forbidden(
              "unexpected pod subresource \"%s\", only 'status' and 'eviction' are allowed"
                  .formatted(attributes.subresource()));
    }
  }

  private void admitPod(String node, AdmissionAttributes attributes) {
    switch (attributes.operation()) {
      case CREATE -> {
        if (attributes.object() != null) {
          admitMirrorPod(node, attributes, attributes.object());
        }
      }
      case DELETE -> {
        if (!nodeOf(pod(attributes, attributes.name())).equals(node)) {
          throw attributes.forbidden(
              "node \"%s\" can only delete pods with spec.nodeName set to itself".formatted(node));
        }
      }
      case UPDATE ->
          throw attributes.forbidden(
              "unexpected operation \"%s\", node \"%s\" can only create and delete mirror pods"
                  .formatted(attributes.operation(), node));
    }
  }

  /// A mirror pod shows what already runs on the node. It must not give the node access to
  /// anything: no service account, no Secrets or ConfigMaps, no claims.
  private void admitMirrorPod(String node, AdmissionAttributes attributes, ObjectNode pod) {
    if (!PodSource.isMirror(pod)) {
      throw attributes.forbidden(
          "pod does not have \"%s\" annotation, node \"%s\" can only create mirror pods"
              .formatted(PodAnnotations.MIRROR, node));
    }
    if (!nodeOf(pod).equals(node)) {
      throw attributes.forbidden(
          "node \"%s\" can only create pods with spec.nodeName set to itself".formatted(node));
    }
    admitOwner(node, attributes, pod.at(OWNERS));
    if (!pod.at("/spec/serviceAccountName").asText("").isEmpty()) {
      throw cannotReference(node, attributes, "a service account");
    }
    for (String plural : List.of("secrets", "configmaps")) {
      if (PodReferences.of("", pod).anyMatch(reference -> reference.plural().equals(plural))) {
        throw cannotReference(node, attributes, plural);
      }
    }
    for (JsonNode volume : pod.at("/spec/volumes")) {
      if (volume.has("persistentVolumeClaim")) {
        throw cannotReference(node, attributes, "persistentvolumeclaims");
      }
    }
  }

  private static ApiException cannotReference(
      String node, AdmissionAttributes attributes, String what) {
    return attributes.forbidden(
        "node \"%s\" can not create pods that reference %s".formatted(node, what));
  }

  /// The mirror pod disappears with its node only if the owner is this very node, so the UID
  /// counts.
  private void admitOwner(String node, AdmissionAttributes attributes, JsonNode owners) {
    String only = "node \"" + node + "\" can only create pods with ";
    if (owners.size() > 1) {
      throw attributes.forbidden(only + "a single owner reference set to itself");
    }
    JsonNode owner = owners.path(0);
    if (!owner.path("apiVersion").asText("").equals("v1")
        || !owner.path("kind").asText("").equals("Node")
        || !owner.path("name").asText("").equals(node)) {
      throw attributes.forbidden(only + "an owner reference set to itself");
    }
    if (!owner.path("controller").asBoolean()) {
      throw attributes.forbidden(only + "a controller owner reference set to itself");
    }
    if (owner.path("blockOwnerDeletion").asBoolean()) {
      throw attributes.forbidden(
          "node \"" + node + "\" must not set blockOwnerDeletion on an owner reference");
    }
    ObjectNode found = objects.read("nodes", "", node);
    if (found == null) {
      throw ApiException.notFound(new ApiException.Resource("", "nodes", "Node"), node);
    }
    String uid = found.at("/metadata/uid").asText();
    if (!owner.path("uid").asText("").equals(uid)) {
      throw attributes.forbidden(
          "node %s UID mismatch: expected %s got %s"
              .formatted(node, owner.path("uid").asText(""), uid));
    }
  }

  private static void admitPodStatus(String node, AdmissionAttributes attributes) {
    ObjectNode old = attributes.old();
    ObjectNode pod = attributes.object();
    if (attributes.operation() != Operation.UPDATE || old == null || pod == null) {
      throw attributes.forbidden("unexpected operation \"" + attributes.operation() + "\"");
    }
    if (!nodeOf(old).equals(node)) {
      throw attributes.forbidden(
          "node \"%s\" can only update pod status for pods with spec.nodeName set to itself"
              .formatted(node));
    }
    // Labels decide which Services and controllers select the pod.
    if (!NodeLabels.changed(pod, old).isEmpty()) {
      throw attributes.forbidden(
          "node \"%s\" cannot update labels through pod status".formatted(node));
    }
  }

  /// An eviction is authorized as the deletion that it causes.
  private void admitEviction(String node, AdmissionAttributes attributes) {
    if (!nodeOf(pod(attributes, attributes.displayName())).equals(node)) {
      throw attributes.forbidden(
          "node %s can only evict pods with spec.nodeName set to itself".formatted(node));
    }
  }

  private static void admitNode(String node, AdmissionAttributes attributes) {
    if (!attributes.displayName().equals(node)) {
      throw attributes.forbidden(
          "node \"%s\" is not allowed to modify node \"%s\""
              .formatted(node, attributes.displayName()));
    }
    ObjectNode object = attributes.object();
    ObjectNode old = attributes.old();
    if (attributes.operation() == Operation.CREATE && object != null) {
      List<String> refused = NodeLabels.forbidden(NodeLabels.changed(object, null));
      if (!refused.isEmpty()) {
        throw attributes.forbidden(
            "node \"%s\" is not allowed to set the following labels: %s"
                .formatted(node, String.join(", ", refused)));
      }
    }
    if (attributes.operation() == Operation.UPDATE && object != null && old != null) {
      if (!object.at("/spec/taints").equals(old.at("/spec/taints"))) {
        throw attributes.forbidden("node \"" + node + "\" is not allowed to modify taints");
      }
      // A node with a missing owner would be garbage collected and could register again without its
      // taints.
      if (!object.at(OWNERS).equals(old.at(OWNERS))) {
        throw attributes.forbidden(
            "node \"" + node + "\" is not allowed to modify ownerReferences");
      }
      List<String> refused = NodeLabels.forbidden(NodeLabels.changed(object, old));
      if (!refused.isEmpty()) {
        throw attributes.forbidden(
            "is not allowed to modify labels: " + String.join(", ", refused));
      }
    }
  }

  private static void admitLease(String node, AdmissionAttributes attributes) {
    if (!attributes.namespace().equals(NODE_LEASES)) {
      throw attributes.forbidden(
          "can only access leases in the \"" + NODE_LEASES + "\" system namespace");
    }
    if (!attributes.displayName().equals(node)) {
      throw attributes.forbidden(
          "can only access node lease with the same name as the requesting node");
    }
  }

  private ObjectNode pod(AdmissionAttributes attributes, String name) {
    ObjectNode pod = objects.read("pods", attributes.namespace(), name);
    if (pod == null) {
      throw ApiException.notFound(new ApiException.Resource("", "pods", "Pod"), name);
    }
    return pod;
  }

  private static String nodeOf(@Nullable ObjectNode pod) {
    return pod == null ? "" : pod.at("/spec/nodeName").asText("");
  }
}
