package dev.berth.agent.cgroups;

import java.io.IOException;
import java.util.List;

/// Operations on systemd units; each call returns when it is complete.
public interface SystemdUnits {
  /// A unit property on the bus.
  ///
  /// @param type the bus type: `t` for a number, `b` for a boolean, `s` for text
  record Property(String name, String type, String value) {}

  /// Starts a transient unit; an existing one gets the properties.
  void start(String unit, List<Property> properties) throws IOException;

  void change(String unit, List<Property> properties) throws IOException;

  void stop(String unit) throws IOException;
}
