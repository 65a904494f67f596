package dev.berth.server.auth.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Stream;

/// Lists the objects that a pod refers to: service account, secrets, config maps.
public final class PodReferences {
  private PodReferences() {}

  /// A reference to one object.
  public record Reference(String plural, String namespace, String name) {}

  /// Lists the references of a pod, possibly with duplicates.
  public static Stream<Reference> of(String namespace, ObjectNode pod) {
    JsonNode spec = pod.path("spec");
    Stream<Reference> account =
        named("serviceaccounts", namespace, spec.path("serviceAccountName"));
    Stream<Reference> pullSecrets =
        spec.path("imagePullSecrets")
            .valueStream()
            .flatMap(secret -> named("secrets", namespace, secret.path("name")));
    Stream<Reference> volumes =
        spec.path("volumes").valueStream().flatMap(volume -> ofVolume(namespace, volume));
    Stream<Reference> containers =
        Stream.of("containers", "initContainers", "ephemeralContainers")
            .flatMap(list -> spec.path(list).valueStream())
            .flatMap(container -> ofContainer(namespace, container));
    return Stream.of(account, pullSecrets, volumes, containers).flatMap(part -> part);
  }

  private static Stream<Reference> ofVolume(String namespace, JsonNode volume) {
    Stream<Reference> direct =
        Stream.concat(
            named("secrets", namespace, volume.at("/secret/secretName")),
            named("configmaps", namespace, volume.at("/configMap/name")));
    Stream<Reference> projected =
        volume
            .at("/projected/sources")
            .valueStream()
            .flatMap(
                source ->
                    Stream.concat(
                        named("secrets", namespace, source.at("/secret/name")),
                        named("configmaps", namespace, source.at("/configMap/name"))));
    return Stream.concat(direct, projected);
  }

  private static Stream<Reference> ofContainer(String namespace, JsonNode container) {
    Stream<Reference> whole =
        container
            .path("envFrom")
            .valueStream()
            .flatMap(
                source ->
                    Stream.concat(
                        named("secrets", namespace, source.at("/secretRef/name")),
                        named("configmaps", namespace, source.at("/configMapRef/name"))));
    Stream<Reference> single =
        container
            .path("env")
            .valueStream()
            .flatMap(
                variable ->
                    Stream.concat(
                        named("secrets", namespace, variable.at("/valueFrom/secretKeyRef/name")),
                        named(
                            "configmaps",
                            namespace,
                            variable.at("/valueFrom/configMapKeyRef/name"))));
    return Stream.concat(whole, single);
  }

  private static Stream<Reference> named(String plural, String namespace, JsonNode name) {
    return name.isTextual()
        ? Stream.of(new Reference(plural, namespace, name.textValue()))
        : Stream.empty();
  }
}
