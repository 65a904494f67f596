package dev.berth.server.admission;

import java.util.List;

/// All plugins in their order.
public final class AdmissionChain {
  private final List<AdmissionPlugin> plugins;

  public AdmissionChain(List<AdmissionPlugin> plugins) {
    this.plugins = List.copyOf(plugins);
  }

  public void mutate(Attributes attributes) {
    plugins.forEach(plugin -> plugin.mutate(attributes));
  }

  public void validate(Attributes attributes) {
    plugins.forEach(plugin -> plugin.validate(attributes));
  }
}
