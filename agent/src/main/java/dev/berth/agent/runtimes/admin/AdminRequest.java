package dev.berth.agent.runtimes.admin;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// Requests of an administrator to a running agent, one line of JSON each.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "command")
@JsonSubTypes({
  @JsonSubTypes.Type(value = AdminRequest.List.class, name = "list"),
  @JsonSubTypes.Type(value = AdminRequest.Images.class, name = "images"),
  @JsonSubTypes.Type(value = AdminRequest.Add.class, name = "add"),
  @JsonSubTypes.Type(value = AdminRequest.Drain.class, name = "drain"),
  @JsonSubTypes.Type(value = AdminRequest.Resume.class, name = "resume"),
  @JsonSubTypes.Type(value = AdminRequest.Remove.class, name = "remove")
})
public sealed interface AdminRequest {
  record List() implements AdminRequest {}

  /// Lists the images of all image services.
  record Images() implements AdminRequest {}

  /// Registers a service.
  ///
  /// @param service its description, as in a file of its own (YAML or JSON)
  /// @param waitSeconds how long to wait until it is ready; 0 waits only for its first answer
  record Add(String service, long waitSeconds) implements AdminRequest {}

  /// Drains a service: no new pods are bound to it.
  ///
  /// @param waitSeconds how long to wait until its pods are gone; 0 does not wait
  record Drain(String name, long waitSeconds) implements AdminRequest {}

  /// Takes back a drain.
  record Resume(String name) implements AdminRequest {}

  record Remove(String name, boolean force) implements AdminRequest {}
}
