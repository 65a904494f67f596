package dev.berth.server.validation.containers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.validation.FieldErrors;
import dev.berth.server.validation.FieldPath;
import dev.berth.server.validation.fields.NameRules;
import dev.berth.server.validation.fields.PodFields;
import java.util.List;

/// The rules of probes and lifecycle hooks.
///
/// Exactly one handler is allowed for each probe and hook; the first one found is checked and the
/// others are refused.
///
/// Upstream's `validateProbe`, `validateHandler` and `validateLifecycle`. gRPC probes are KEP-2727,
/// grace periods of probes KEP-2238, sleeping hooks KEP-3960.
final class ProbeRules {
  private static final List<String> SCHEMES = List.of("HTTP", "HTTPS");
  private static final String ONE_HANDLER = "may not specify more than 1 handler type";

  private ProbeRules() {}

  /// Checks the probes and hooks of a container that may have them.
  static void validate(JsonNode container, PodScope pod, FieldPath path, FieldErrors errors) {
    if (container.get("lifecycle") instanceof ObjectNode lifecycle) {
      hook(lifecycle, "postStart", pod, path.child("lifecycle"), errors);
      hook(lifecycle, "preStop", pod, path.child("lifecycle"), errors);
    }
    probe(container, "livenessProbe", pod, path, errors);
    probe(container, "readinessProbe", pod, path, errors);
    probe(container, "startupProbe", pod, path, errors);
  }

  private static void hook(
      ObjectNode lifecycle, String name, PodScope pod, FieldPath path, FieldErrors errors) {
    if (lifecycle.get(name) instanceof ObjectNode hook) {
      handler(hook, pod, path.child(name), errors);
    }
  }

  private static void probe(
      JsonNode container, String name, PodScope pod, FieldPath parent, FieldErrors errors) {
    if (!(container.get(name) instanceof ObjectNode probe)) {
      return;
    }
    FieldPath path = parent.child(name);
    handler(probe, pod, path, errors);
    PodFields.notNegative(probe, "initialDelaySeconds", path, errors);
    PodFields.notNegative(probe, "timeoutSeconds", path, errors);
    PodFields.notNegative(probe, "periodSeconds", path, errors);
    PodFields.notNegative(probe, "successThreshold", path, errors);
    PodFields.notNegative(probe, "failureThreshold", path, errors);
    long grace = PodFields.number(probe, "terminationGracePeriodSeconds");
    boolean hasGrace = PodFields.has(probe, "terminationGracePeriodSeconds");
    if (hasGrace && grace <= 0) {
      errors.invalid(path.child("terminationGracePeriodSeconds"), grace, "must be greater than 0");
    }
    if (name.equals("readinessProbe")) {
      if (hasGrace) {
        errors.invalid(
            path.child("terminationGracePeriodSeconds"),
            grace,
            // A failed readiness probe ends no container, so that there is nothing to give time
            // for.
            "must not be set for readinessProbes");
      }
    } else if (PodFields.number(probe, "successThreshold") != 1) {
      // One success decides liveness and startup, so a higher threshold has no meaning.
      long threshold = PodFields.number(probe, "successThreshold");
      errors.invalid(path.child("successThreshold"), threshold, "must be 1");
    }
  }

  private static void handler(ObjectNode owner, PodScope pod, FieldPath path, FieldErrors errors) {
    boolean found = false;
    if (owner.get("exec") instanceof ObjectNode exec) {
      found = true;
      if (exec.path("command").isEmpty()) {
        errors.required(path.child("exec").child("command"), "");
      }
    }
    if (owner.get("httpGet") instanceof ObjectNode get) {
      if (mayAdd(found, "httpGet", path, errors)) {
        httpGet(get, path.child("httpGet"), errors);
      }
      found = true;
    }
    if (owner.get("tcpSocket") instanceof ObjectNode socket) {
      if (mayAdd(found, "tcpSocket", path, errors)) {
        port(socket.path("port"), path.child("tcpSocket"), errors);
      }
      found = true;
    }
    if (owner.get("grpc") instanceof ObjectNode call) {
      if (mayAdd(found, "grpc", path, errors)) {
        port(call.path("port"), path.child("grpc"), errors);
      }
      found = true;
    }
    if (owner.get("sleep") instanceof ObjectNode sleep) {
      if (mayAdd(found, "sleep", path, errors)) {
        sleep(PodFields.number(sleep, "seconds"), pod, path.child("sleep"), errors);
      }
      found = true;
    }
    if (!found) {
      errors.required(path, "must specify a handler type");
    }
  }

  private static boolean mayAdd(boolean found, String name, FieldPath path, FieldErrors errors) {
    if (found) {
      errors.forbidden(path.child(name), ONE_HANDLER);
    }
    return !found;
  }

  private static void httpGet(ObjectNode get, FieldPath path, FieldErrors errors) {
    PodFields.required(get, "path", path, errors);
    port(get.path("port"), path, errors);
    String scheme = PodFields.text(get, "scheme");
    if (!SCHEMES.contains(scheme)) {
      errors.notSupportedInOrder(path.child("scheme"), scheme, SCHEMES);
    }
    for (JsonNode header : get.path("httpHeaders")) {
      String name = PodFields.text(header, "name");
      errors.invalid(path.child("httpHeaders"), name, NameRules.httpHeaderName(name));
    }
  }

  /// A number, or the name of one of the container's ports.
  private static void port(JsonNode port, FieldPath path, FieldErrors errors) {
    if (port.isTextual()) {
      errors.invalid(path.child("port"), port.textValue(), NameRules.portName(port.textValue()));
    } else if (!ContainerPortRules.isPort(port.longValue())) {
      errors.invalid(path.child("port"), port.longValue(), ContainerPortRules.PORT_RANGE);
    }
  }

  private static void sleep(long seconds, PodScope pod, FieldPath path, FieldErrors errors) {
    // A hook that sleeps longer than the grace period is killed in its sleep.
    if (pod.graceSeconds() >= 0 && (seconds <= 0 || seconds > pod.graceSeconds())) {
      errors.invalid(
          path,
          seconds,
          ("must be greater than 0 and less than terminationGracePeriodSeconds (%d). Enable"
                  + " AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.")
              .formatted(pod.graceSeconds()));
    }
  }
}
