package dev.berth.server.kinds.catalog;

import static dev.berth.server.kinds.Verb.CREATE;
import static dev.berth.server.kinds.Verb.GET;
import static dev.berth.server.kinds.Verb.PATCH;
import static dev.berth.server.kinds.Verb.UPDATE;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.defaults.AcceptedSpellings;
import dev.berth.server.defaults.PodDefaults;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.Subresource;
import dev.berth.server.kinds.strategies.PodStrategy;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.server.validation.pods.PodValidator;
import java.util.Set;
import java.util.function.Function;

/// The entry of Pod.
final class PodKind {
  private PodKind() {}

  static ResourceKind entry(ObjectSchema schema) {
    Function<ObjectNode, String> nodeName = pod -> pod.path("spec").path("nodeName").asText("");
    return KindEntry.of("", "Pod", "pods")
        .shortNames("po")
        .inAll()
        .version("v1", schema.type("core.v1.Pod"))
        .status()
        .returnsDeleted()
        .subresource("attach", "PodAttachOptions", CREATE, GET)
        .subresource("binding", "Binding", CREATE)
        .subresource("ephemeralcontainers", "Pod", GET, PATCH, UPDATE)
        .subresource(new Subresource("eviction", "Eviction", "policy", "v1", Set.of(CREATE)))
        .subresource("exec", "PodExecOptions", CREATE, GET)
        .subresource("log", "Pod", GET)
        .subresource("portforward", "PodPortForwardOptions", CREATE, GET)
        .proxy()
        .subresource("resize", "Pod", GET, PATCH, UPDATE)
        .selectable("spec.nodeName", nodeName)
        // The old name of `spec.nodeName`; old clients still select by it.
        .selectable("spec.host", nodeName)
        .selectable("spec.restartPolicy")
        .selectable("spec.schedulerName")
        .selectable("spec.serviceAccountName")
        .selectable(
            "spec.hostNetwork", pod -> flag(pod.path("spec").path("hostNetwork").asBoolean()))
        .selectable("status.phase")
        .selectable("status.podIP")
        // Accepted for old clients; matches no value.
        .selectable("status.podIPs", _ -> "")
        .selectable("status.nominatedNodeName")
        .leniency(AcceptedSpellings::accept)
        .rules(new PodDefaults(), new PodValidator())
        .strategy(new PodStrategy())
        .build();
  }

  static String flag(boolean value) {
    return value ? "true" : "false";
  }
}
