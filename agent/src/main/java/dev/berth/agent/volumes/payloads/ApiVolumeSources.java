package dev.berth.agent.volumes.payloads;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.ApiRequest;
import dev.berth.client.ObjectKey;
import dev.berth.client.ResourceType;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Reads sources from the API server.
public final class ApiVolumeSources implements VolumeSources {
  private static final String JSON = "application/json";

  private final ApiClient client;

  public ApiVolumeSources(ApiClient client) {
    this.client = client;
  }

  @Override
  public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
    return client
        .json(ResourceType.CONFIG_MAPS)
        .find(new ObjectKey(namespace, name))
        .map(
            map -> {
              Map<String, byte[]> files = decoded(map.path("binaryData"));
              for (Map.Entry<String, JsonNode> entry : map.path("data").properties()) {
                files.put(entry.getKey(), entry.getValue().asText().getBytes(UTF_8));
              }
              return files;
            });
  }

  @Override
  public Optional<Map<String, byte[]>> secret(String namespace, String name) {
    return client
        .json(ResourceType.SECRETS)
        .find(new ObjectKey(namespace, name))
        .map(secret -> decoded(secret.path("data")));
  }

  private static Map<String, byte[]> decoded(JsonNode values) {
    Map<String, byte[]> files = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : values.properties()) {
      files.put(entry.getKey(), Base64.getDecoder().decode(entry.getValue().asText()));
    }
    return files;
  }

  @Override
  public Token token(Pod pod, String audience, long seconds) {
    var metadata = pod.getMetadata();
    String account = Objects.requireNonNullElse(pod.getSpec().getServiceAccountName(), "default");
    String path =
        ResourceType.SERVICE_ACCOUNTS.path(new ObjectKey(metadata.getNamespace(), account));
    JsonNode answer =
        client.exchange(
            ApiRequest.of(
                "POST",
                path + "/token",
                JSON,
                JSON,
                request(pod, audience, seconds).toString().getBytes(UTF_8)));
    JsonNode status = answer.path("status");
    return new Token(
        status.path("token").asText(), Instant.parse(status.path("expirationTimestamp").asText()));
  }

  private static ObjectNode request(Pod pod, String audience, long seconds) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
    ObjectNode spec = request.putObject("spec").put("expirationSeconds", seconds);
    if (!audience.isEmpty()) {
      spec.putArray("audiences").add(audience);
    }
    spec.putObject("boundObjectRef")
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put("name", pod.getMetadata().getName())
        .put("uid", pod.getMetadata().getUid());
    return request;
  }
}
