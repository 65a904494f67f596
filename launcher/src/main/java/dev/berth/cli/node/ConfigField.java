package dev.berth.cli.node;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// A field of the configuration file, and the flag that it stands for. Options declare their field
/// with a [ConfigKey], so there is no list to keep.
record ConfigField(String flag, ConfigShape shape) {
  /// The fields that a command honors, by name.
  static Map<String, ConfigField> of(CommandSpec command) {
    Map<String, ConfigField> fields = new TreeMap<>();
    for (OptionSpec option : command.options()) {
      if (option.userObject() instanceof Field field) {
        ConfigKey key = field.getAnnotation(ConfigKey.class);
        if (key != null) {
          fields.put(key.value(), new ConfigField(option.names()[0], key.shape()));
        }
      }
    }
    return fields;
  }

  /// The fields of `berth agent`, which has every option of a node.
  static Map<String, ConfigField> ofAgents() {
    return of(CommandSpec.forAnnotatedObject(new AgentCommand()));
  }
}
