package dev.berth.server.validation.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.pods.PodPlatform;
import dev.berth.api.pods.PodRuntime;
import dev.berth.api.pods.PodWorkload;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.containers.ContainerEnvRules;
import dev.berth.server.validation.containers.ContainerMountRules;
import dev.berth.server.validation.containers.ContainerRules;
import dev.berth.server.validation.containers.PodScope;
import dev.berth.server.validation.fields.IpRules;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import dev.berth.server.validation.resources.ResourceRules;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// The rules of Berth's additions to pods: virtual machines, their network, runtime and platform.
final class PodMachineRules {
  private static final List<String> POWER = List.of("running", "paused", "shutdown", "suspended");

  // In characters of the text as it is stored.
  private static final int MAX_USER_DATA = 65535;
  // Windows has four numbers (KEP-1301); shorter versions are prefixes of one.
  private static final Pattern OS_VERSION = Pattern.compile("[0-9]+(\\.[0-9]+){0,3}");
  private static final Pattern ARCHITECTURE = Pattern.compile("[a-z0-9]+(/[a-z0-9]+)?");

  private final PodScope pod;
  private final FieldErrors errors;

  PodMachineRules(PodScope pod, FieldErrors errors) {
    this.pod = pod;
    this.errors = errors;
  }

  void validate(JsonNode spec, FieldPath path) {
    for (PodWorkload workload : PodWorkload.in(spec)) {
      workload(workload, spec, path.child(workload.type().field()));
    }
    // Only the form: whether any node has such a service is the scheduler's question.
    label(spec, PodRuntime.SERVICE_FIELD, path);
    label(spec, "vpc", path);
    JsonNode nics = spec.path("nics");
    if (!nics.isEmpty()) {
      nics(nics, path.child("nics"));
    }
    platform(spec, path);
  }

  /// What every workload beside containers has.
  private void workload(PodWorkload workload, JsonNode spec, FieldPath path) {
    ObjectNode tree = workload.tree();
    for (String list : List.of("containers", "initContainers")) {
      if (!spec.path(list).isEmpty()) {
        errors.forbidden(
            path,
            "may not be set together with `%s`: a pod runs containers or one %s; move"
                    .formatted(list, workload.type().description())
                + " one of them to a pod of its own");
      }
    }
    PodFields.required(tree, "name", path, errors);
    label(tree, "name", path);
    PodFields.required(tree, "image", path, errors);
    ContainerRules.imageOfPod(tree, path, errors);
    ContainerRules.pullPolicy(
        PodFields.text(tree, "imagePullPolicy"), path.child("imagePullPolicy"), errors);
    ResourceRules.validate(tree.path("resources"), pod.claims(), path.child("resources"), errors);
    ContainerEnvRules.env(tree.path("env"), path.child("env"), errors);
    new ContainerMountRules(pod.volumes(), errors).validate(tree, path);
    machine(tree, path);
  }

  /// Rules of fields that only some types have; the schema decides which.
  private void machine(ObjectNode machine, FieldPath path) {
    String power = PodFields.text(machine, "powerSpec");
    if (!power.isEmpty() && !POWER.contains(power.toLowerCase(Locale.ROOT))) {
      errors.notSupportedInOrder(path.child("powerSpec"), power, POWER);
    }
    if (PodFields.text(machine, "userData").length() > MAX_USER_DATA) {
      errors.tooLong(path.child("userData"), MAX_USER_DATA);
    }
  }

  /// Names in the documents of Arktos have capitals, so these are label values, not DNS labels.
  private void label(JsonNode owner, String field, FieldPath path) {
    String name = PodFields.text(owner, field);
    if (!NameRules.labelValue(name).isEmpty()) {
      errors.invalid(
          path.child(field),
          name,
          "must have at most 63 letters, digits, '-', '_' or '.', and start and end with a letter"
              + " or digit");
    }
  }

  private void nics(JsonNode nics, FieldPath path) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < nics.size(); i++) {
      JsonNode nic = nics.get(i);
      FieldPath at = path.index(i);
      label(nic, "name", at);
      label(nic, "subnetName", at);
      label(nic, "portId", at);
      String name = PodFields.text(nic, "name");
      if (!name.isEmpty() && !names.add(name)) {
        errors.duplicate(at.child("name"), name);
      }
      String address = PodFields.text(nic, "ipAddress");
      if (!address.isEmpty()) {
        IpRules.checkAddress(address, at.child("ipAddress"), errors);
      }
    }
  }

  private void platform(JsonNode spec, FieldPath path) {
    String version = PodFields.text(spec, PodPlatform.VERSION_FIELD);
    if (!version.isEmpty() && !OS_VERSION.matcher(version).matches()) {
      errors.invalid(
          path.child(PodPlatform.VERSION_FIELD),
          version,
          "must be a version such as 10.0.17763 or 10.0.17763.805");
    }
    String architecture = PodFields.text(spec, PodPlatform.ARCHITECTURE_FIELD);
    if (!architecture.isEmpty() && !ARCHITECTURE.matcher(architecture).matches()) {
      errors.invalid(
          path.child(PodPlatform.ARCHITECTURE_FIELD),
          architecture,
          "must be an architecture of images such as amd64, arm64 or arm/v7");
    }
  }
}
