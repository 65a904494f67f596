package dev.berth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/// An API server, Berth's or upstream's, with the credentials of one user.
///
/// Nothing is repeated: after [NoAnswerException] a write may have succeeded, and only the caller
/// knows whether it may be sent again. Safe for any number of threads; a blocked call ends when its
/// thread is interrupted.
public final class ApiClient implements AutoCloseable {
  private final ApiTransport transport;

  public ApiClient(ApiTransport transport) {
    this.transport = transport;
  }

  /// Creates a client; it connects with the first request.
  public static ApiClient open(ClientConfig config) {
    return new ApiClient(new HttpTransport(config));
  }

  /// Creates a client like [#open(ClientConfig)] that reads the kubeconfig and the files that it
  /// names again when they change.
  public static ApiClient openReloading(Path kubeconfig, String userAgent) {
    return openReloading(kubeconfig, config -> config.withUserAgent(userAgent));
  }

  /// As the other one.
  ///
  /// @param adaptation makes what is used of what the kubeconfig contains
  public static ApiClient openReloading(Path kubeconfig, UnaryOperator<ClientConfig> adaptation) {
    return new ApiClient(new ReloadingTransport(kubeconfig, adaptation, System::nanoTime));
  }

  /// A client for the same server whose transport is wrapped.
  public ApiClient through(UnaryOperator<ApiTransport> layer) {
    return new ApiClient(layer.apply(transport));
  }

  public ResourceClient<ObjectNode> json(ResourceType type) {
    return new ResourceClient<>(transport, type, ObjectCodec.json(type));
  }

  public ResourceClient<ObjectMetadata> metadata(ResourceType type) {
    return new ResourceClient<>(transport, type, ObjectCodec.metadata());
  }

  public <M extends HasMetadata> ResourceClient<M> typed(ResourceType type, Class<M> model) {
    return new ResourceClient<>(transport, type, ObjectCodec.model(model));
  }

  /// Access to one kind, with objects in the form of the codec.
  public <T> ResourceClient<T> resources(ResourceType type, ObjectCodec<T> codec) {
    return new ResourceClient<>(transport, type, codec);
  }

  public DiscoveryClient discovery() {
    return new DiscoveryClient(this);
  }

  /// Binds a pod to a node; a conflict means that the pod already has one.
  public void bind(ObjectKey pod, String uid, String node) {
    ObjectNode binding = ClientJson.MAPPER.createObjectNode();
    binding.put("apiVersion", "v1").put("kind", "Binding");
    ObjectNode metadata = binding.putObject("metadata").put("name", pod.name());
    metadata.put("namespace", pod.namespace()).put("uid", uid);
    binding.putObject("target").put("kind", "Node").put("name", node);
    String target = ResourceType.PODS.path(pod) + "/binding";
    exchange(
        ApiRequest.of(
            "POST", target, "application/json", "application/json", ClientJson.bytes(binding)));
  }

  /// Reads any path that answers with JSON.
  public JsonNode getJson(String target, String accept) {
    return exchange(ApiRequest.get(target, accept));
  }

  /// Sends a request and reads the JSON of its answer.
  public JsonNode exchange(ApiRequest request) {
    try (ApiResponse response = requireSuccess(request, transport.send(request))) {
      return ClientJson.MAPPER.readTree(response.body().readAllBytes());
    } catch (IOException e) {
      throw new NoAnswerException(request + ": the answer is incomplete: " + e.getMessage(), e);
    }
  }

  static ApiResponse requireSuccess(ApiRequest request, ApiResponse response) {
    if (response.isSuccess()) {
      return response;
    }
    try (response) {
      throw ApiException.ofBody(response.status(), response.body().readAllBytes());
    } catch (IOException e) {
      throw new NoAnswerException(request + ": the answer is incomplete: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    transport.close();
  }
}
