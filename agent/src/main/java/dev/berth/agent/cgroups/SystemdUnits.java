package dev.berth.agent.cgroups;

import java.io.IOException;
import java.util.List;

/// What is asked of systemd about its units; each call returns when it has been done.
public interface SystemdUnits {
  /// A property as it is said on systemd's bus.
  ///
  /// @param type of the bus: `t` for a number, `b` for yes or no, `s` for text
  record Property(String name, String type, String value) {}

  /// Makes a unit that lasts until it is stopped or the machine restarts; one that is there gets
  /// the properties.
  void start(String unit, List<Property> properties) throws IOException;

  void change(String unit, List<Property> properties) throws IOException;

  void stop(String unit) throws IOException;
}
