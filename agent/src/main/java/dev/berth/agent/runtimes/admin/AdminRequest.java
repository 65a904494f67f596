package dev.berth.agent.runtimes.admin;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// What an administrator can ask of a running agent; one line of JSON on the socket.
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

  /// What the image services have.
  record Images() implements AdminRequest {}

  /// Registers a service.
  ///
  /// @param service as in a file of its own (YAML, of which JSON is a part)
  /// @param waitSeconds how long to wait until it is ready; 0 waits only for its first answer
  record Add(String service, long waitSeconds) implements AdminRequest {}

  /// Lets no new pods on a service.
  ///
  /// @param waitSeconds how long to wait until its pods are gone; 0 does not wait
  record Drain(String name, long waitSeconds) implements AdminRequest {}

  /// Lets new pods on a service again.
  record Resume(String name) implements AdminRequest {}

  record Remove(String name, boolean force) implements AdminRequest {}
}
