package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.ContainerView;
import dev.berth.api.pods.PodPlatform;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.GoText;
import dev.berth.server.validation.fields.CommonChecks;
import dev.berth.server.validation.fields.IpRules;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.security.SecurityRules;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;

/// The rules of a pod's status.
///
/// Node agents write the status. The rules keep a pod from turning back: an agent that restarted
/// with old data must not undo what is already known.
///
/// Upstream's `ValidatePodStatusUpdate`.
final class PodStatusRules {
  private static final FieldPath STATUS = FieldPath.of("status");
  private static final Set<String> OWN_CONDITIONS = Set.of("PodScheduled", "Ready", "Initialized");

  private final FieldErrors errors;

  PodStatusRules(FieldErrors errors) {
    this.errors = errors;
  }

  void validate(ObjectNode pod, ObjectNode old) {
    JsonNode status = pod.path("status");
    JsonNode spec = old.path("spec");
    conditions(status.path("conditions"));
    if (!PodFields.text(pod.path("spec"), "nodeName").equals(PodFields.text(spec, "nodeName"))) {
      errors.forbidden(STATUS.child("nodeName"), "may not be changed directly");
    }
    String nominated = PodFields.text(status, "nominatedNodeName");
    if (!nominated.equals(PodFields.text(old.path("status"), "nominatedNodeName"))) {
      PodFields.subdomain(status, "nominatedNodeName", STATUS, errors);
    }
    String restart = PodFields.text(spec, "restartPolicy");
    states(status, old.path("status"), "containerStatuses", restart, spec);
    states(status, old.path("status"), "initContainerStatuses", restart, spec);
    // Ephemeral containers are never restarted, whatever the policy of the pod.
    states(status, old.path("status"), "ephemeralContainerStatuses", "Never", spec);
    claims(status.path("resourceClaimStatuses"), pod.path("spec").path("resourceClaims"));
    addresses(status.path("podIPs"), STATUS.child("podIPs"));
    hostAddresses(status);
    // `user.linux` is KEP-3619.
    users(pod);
    if (!PodFields.text(old.path("status"), "qosClass").isEmpty()) {
      CommonChecks.immutable(
          status.path("qosClass"),
          old.path("status").path("qosClass"),
          STATUS.child("qosClass"),
          errors);
    }
  }

  /// Upstream reports these under `metadata`.
  private void conditions(JsonNode conditions) {
    for (int i = 0; i < conditions.size(); i++) {
      String type = PodFields.text(conditions.get(i), "type");
      if (!OWN_CONDITIONS.contains(type)) {
        errors.invalid(
            FieldPath.of("metadata").child("conditions").index(i).child("Type"),
            type,
            NameRules.qualifiedName(type));
      }
    }
  }

  /// Checks that the state of a container that ended for good does not turn back. Sidecars and
  /// containers whose policy restarts them are exempt.
  private void states(JsonNode status, JsonNode old, String list, String restart, JsonNode spec) {
    if (restart.equals("Always")) {
      return;
    }
    JsonNode before = old.path(list);
    for (int i = 0; i < before.size(); i++) {
      JsonNode terminated = before.get(i).path("state").path("terminated");
      String name = PodFields.text(before.get(i), "name");
      boolean mayRestart =
          restart.equals("OnFailure") && PodFields.number(terminated, "exitCode") != 0;
      if (!terminated.isObject()
          || mayRestart
          || (list.startsWith("init") && isSidecar(name, spec))) {
        continue;
      }
      for (JsonNode now : status.path(list)) {
        if (name.equals(PodFields.text(now, "name"))
            && !now.path("state").path("terminated").isObject()) {
          errors.forbidden(
              STATUS.child(list).index(i).child("state"),
              "may not be transitioned to non-terminated state");
        }
      }
    }
  }

  private static boolean isSidecar(String name, JsonNode spec) {
    for (JsonNode container : spec.path("initContainers")) {
      if (name.equals(PodFields.text(container, "name"))) {
        return ContainerView.isSidecar(container);
      }
    }
    return false;
  }

  private void claims(JsonNode statuses, JsonNode claims) {
    Set<String> offered = new HashSet<>();
    claims.forEach(claim -> offered.add(PodFields.text(claim, "name")));
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < statuses.size(); i++) {
      FieldPath at = STATUS.child("resourceClaimStatuses").index(i).child("name");
      String name = PodFields.text(statuses.get(i), "name");
      if (!offered.contains(name)) {
        errors.invalid(at, name, "must match the name of an entry in `spec.resourceClaims`");
      }
      if (!seen.add(name)) {
        errors.duplicate(at, name);
      }
      if (PodFields.has(statuses.get(i), "resourceClaimName")) {
        String claim = PodFields.text(statuses.get(i), "resourceClaimName");
        errors.invalid(at, claim, NameRules.dns1123Subdomain(claim));
      }
    }
  }

  /// Checks that there is at most one address of each family.
  private void addresses(JsonNode addresses, FieldPath path) {
    int version4 = 0;
    int version6 = 0;
    for (int i = 0; i < addresses.size(); i++) {
      String text = PodFields.text(addresses.get(i), "ip");
      IpRules.checkAddress(text, path.index(i), errors);
      InetAddress address = IpRules.parse(text).orElse(null);
      if (address != null && IpRules.isIpv4(address)) {
        version4++;
      } else if (address != null) {
        version6++;
      }
    }
    if (version4 > 1 || version6 > 1) {
      errors.invalid(path, addresses, "may specify no more than one IP for each IP family");
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < addresses.size(); i++) {
      if (!seen.add(PodFields.text(addresses.get(i), "ip"))) {
        errors.add(
            FieldError.Kind.DUPLICATE,
            path.index(i),
            "Duplicate value: " + GoText.of(addresses.get(i)));
      }
    }
  }

  private void hostAddresses(JsonNode status) {
    JsonNode addresses = status.path("hostIPs");
    if (addresses.isEmpty()) {
      return;
    }
    String first = PodFields.text(addresses.path(0), "ip");
    // KEP-2681: the first entry is the old single field, which old readers still use.
    if (!first.equals(PodFields.text(status, "hostIP"))) {
      errors.invalid(
          STATUS.child("hostIPs").index(0).child("ip"), first, "must be equal to `hostIP`");
    }
    addresses(addresses, STATUS.child("hostIPs"));
  }

  private void users(ObjectNode pod) {
    boolean windows = PodPlatform.isForWindows(pod.path("spec"));
    for (String list :
        new String[] {"containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"}) {
      JsonNode statuses = pod.path("status").path(list);
      for (int i = 0; i < statuses.size(); i++) {
        if (statuses.get(i).path("user").get("linux") instanceof ObjectNode user) {
          user(user, windows, STATUS.child(list).index(i).child("linux"));
        }
      }
    }
  }

  private void user(ObjectNode user, boolean windows, FieldPath path) {
    if (windows) {
      errors.forbidden(path, "cannot be set for a windows pod");
      return;
    }
    SecurityRules.id(PodFields.number(user, "uid"), path.child("uid"), errors);
    SecurityRules.id(PodFields.number(user, "gid"), path.child("gid"), errors);
    JsonNode groups = user.path("supplementalGroups");
    for (int i = 0; i < groups.size(); i++) {
      SecurityRules.id(
          groups.get(i).longValue(), path.child("supplementalGroups").index(i), errors);
    }
  }
}
