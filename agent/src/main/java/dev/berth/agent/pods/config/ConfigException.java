package dev.berth.agent.pods.config;

/// A container cannot be configured from its pod and the objects it refers to, for now.
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConfigException(String message) {
    super(message);
  }
}
