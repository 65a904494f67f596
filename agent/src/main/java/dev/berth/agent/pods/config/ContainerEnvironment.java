package dev.berth.agent.pods.config;

import dev.berth.api.pods.PodAnnotations;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapKeySelector;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import io.fabric8.kubernetes.api.model.Service;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The environment variables of a container: `envFrom` first, then `env`, each of which may use the
/// variables before it.
final class ContainerEnvironment {
  private final Pod pod;
  private final Container container;
  private final PodFields fields;
  private final ReferencedObjects references;
  private final String namespace;
  private final Map<String, String> variables = new LinkedHashMap<>();

  ContainerEnvironment(
      Pod pod, Container container, PodFields fields, ReferencedObjects references) {
    this.pod = pod;
    this.container = container;
    this.fields = fields;
    this.references = references;
    this.namespace = pod.getMetadata().getNamespace();
  }

  Map<String, String> compute() {
    variables.putAll(ServiceVariables.of(pod, services()));
    container.getEnvFrom().forEach(this::addAll);
    container.getEnv().forEach(this::add);
    return variables;
  }

  /// A static pod does not wait for an API server that may be away.
  private List<Service> services() {
    return references
        .services()
        .or(() -> isStatic() ? Optional.of(List.of()) : Optional.empty())
        .orElseThrow(
            () ->
                new ConfigException(
                    "services have not yet been read at least once, cannot construct envs"));
  }

  private boolean isStatic() {
    return "file"
        .equals(PodLabels.orEmpty(pod.getMetadata().getAnnotations()).get(PodAnnotations.SOURCE));
  }

  private void addAll(EnvFromSource source) {
    String prefix = Objects.requireNonNullElse(source.getPrefix(), "");
    if (source.getConfigMapRef() != null) {
      var ref = source.getConfigMapRef();
      configMap(ref.getName(), ref.getOptional())
          .map(found -> PodLabels.orEmpty(found.getData()))
          .ifPresent(data -> data.forEach((key, value) -> variables.put(prefix + key, value)));
    } else if (source.getSecretRef() != null) {
      var ref = source.getSecretRef();
      secret(ref.getName(), ref.getOptional())
          .map(found -> PodLabels.orEmpty(found.getData()))
          .ifPresent(
              data -> data.forEach((key, value) -> variables.put(prefix + key, decoded(value))));
    }
  }

  private void add(EnvVar variable) {
    EnvVarSource source = variable.getValueFrom();
    if (source == null) {
      String text = Objects.requireNonNullElse(variable.getValue(), "");
      variables.put(variable.getName(), VariableExpansion.of(text, variables));
      return;
    }
    value(source).ifPresent(value -> variables.put(variable.getName(), value));
  }

  /// The value; empty when an optional source is missing.
  private Optional<String> value(EnvVarSource source) {
    if (source.getFieldRef() != null) {
      return Optional.of(fields.field(pod, source.getFieldRef().getFieldPath()));
    }
    if (source.getResourceFieldRef() != null) {
      return Optional.of(fields.resource(pod, container, source.getResourceFieldRef()));
    }
    if (source.getConfigMapKeyRef() != null) {
      return configMapKey(source.getConfigMapKeyRef());
    }
    if (source.getSecretKeyRef() != null) {
      return secretKey(source.getSecretKeyRef());
    }
    throw new ConfigException("the source of an environment variable is not supported");
  }

  private Optional<String> configMapKey(ConfigMapKeySelector selector) {
    Optional<ConfigMap> found = configMap(selector.getName(), selector.getOptional());
    if (found.isEmpty()) {
      return Optional.empty();
    }
    String value = PodLabels.orEmpty(found.get().getData()).get(selector.getKey());
    if (value == null && !isOptional(selector.getOptional())) {
      throw new ConfigException(
          "couldn't find key %s in ConfigMap %s/%s"
              .formatted(selector.getKey(), namespace, selector.getName()));
    }
    return Optional.ofNullable(value);
  }

  private Optional<String> secretKey(SecretKeySelector selector) {
    Optional<Secret> found = secret(selector.getName(), selector.getOptional());
    if (found.isEmpty()) {
      return Optional.empty();
    }
    String value = PodLabels.orEmpty(found.get().getData()).get(selector.getKey());
    if (value == null && !isOptional(selector.getOptional())) {
      throw new ConfigException(
          "couldn't find key %s in Secret %s/%s"
              .formatted(selector.getKey(), namespace, selector.getName()));
    }
    return Optional.ofNullable(value).map(ContainerEnvironment::decoded);
  }

  private Optional<ConfigMap> configMap(String name, @Nullable Boolean optional) {
    Optional<ConfigMap> found = references.configMap(namespace, name);
    if (found.isEmpty() && !isOptional(optional)) {
      throw new ConfigException("configmap \"%s\" not found".formatted(name));
    }
    return found;
  }

  private Optional<Secret> secret(String name, @Nullable Boolean optional) {
    Optional<Secret> found = references.secret(namespace, name);
    if (found.isEmpty() && !isOptional(optional)) {
      throw new ConfigException("secret \"%s\" not found".formatted(name));
    }
    return found;
  }

  private static boolean isOptional(@Nullable Boolean optional) {
    return Boolean.TRUE.equals(optional);
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }
}
