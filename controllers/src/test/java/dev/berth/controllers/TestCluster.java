package dev.berth.controllers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.client.ApiClient;
import dev.berth.client.DelayedActions;
import dev.berth.client.Informer;
import dev.berth.client.ListQuery;
import dev.berth.client.ObjectKey;
import dev.berth.client.ObjectMetadata;
import dev.berth.client.ResourceType;
import dev.berth.client.fake.FakeApi;
import dev.berth.controllers.loops.ControllerContext;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;

/// A fake API server with a namespace `default`, and what loops need to run on it.
public final class TestCluster implements AutoCloseable {
  private static final List<ResourceType> KINDS =
      List.of(
          ResourceType.NAMESPACES,
          ResourceType.NODES,
          ResourceType.CONFIG_MAPS,
          ResourceType.PODS,
          ResourceType.EVENTS,
          ResourceType.SERVICE_ACCOUNTS,
          ResourceType.REPLICA_SETS,
          ResourceType.DEPLOYMENTS,
          ResourceType.DAEMON_SETS,
          ResourceType.LEASES,
          ResourceType.RUNTIME_CLASSES,
          ResourceType.CLUSTER_ROLES);

  private final FakeApi server;
  private final DelayedActions delays;
  private final ControllerContext context;

  public TestCluster() {
    this(InstantSource.system());
  }

  public TestCluster(InstantSource clock) {
    this(clock, DelayedActions.realTime());
  }

  public TestCluster(InstantSource clock, DelayedActions delays) {
    this.delays = delays;
    this.server = new FakeApi(KINDS, clock);
    this.context = new ControllerContext(new ApiClient(server), delays, clock, new Random(1));
    server.createNamespace("default");
  }

  public FakeApi server() {
    return server;
  }

  public ControllerContext context() {
    return context;
  }

  public Informer<ObjectMetadata> namespaces() {
    return context.informer(context.client().metadata(ResourceType.NAMESPACES), ListQuery.ALL);
  }

  public Informer<ObjectNode> nodes() {
    return context.informer(context.client().json(ResourceType.NODES), ListQuery.ALL);
  }

  public ObjectNode create(ResourceType type, String namespace, String name) {
    return server.create(type, object(namespace, name));
  }

  public boolean exists(ResourceType type, String namespace, String name) {
    return server.find(type, new ObjectKey(namespace, name)).isPresent();
  }

  /// JSON that is written with single quotes.
  public static ObjectNode json(String text) {
    try {
      return (ObjectNode) new JsonMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  public static ObjectNode object(String namespace, String name) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    if (!namespace.isEmpty()) {
      metadata.put("namespace", namespace);
    }
    return object;
  }

  /// Adds a reference to an owner that exists.
  public static ObjectNode ownedBy(ObjectNode object, ObjectNode owner, boolean block) {
    return ownedBy(
        object,
        owner.path("apiVersion").asText(),
        owner.path("kind").asText(),
        owner.at("/metadata/name").asText(),
        owner.at("/metadata/uid").asText(),
        block);
  }

  public static ObjectNode ownedBy(
      ObjectNode object, String apiVersion, String kind, String name, String uid, boolean block) {
    object
        .withObject("/metadata")
        .withArray("/ownerReferences")
        .addObject()
        .put("apiVersion", apiVersion)
        .put("kind", kind)
        .put("name", name)
        .put("uid", uid)
        .put("controller", false)
        .put("blockOwnerDeletion", block);
    return object;
  }

  @Override
  public void close() {
    delays.close();
  }
}
