package dev.berth.server.admission;

import java.util.ArrayList;
import java.util.List;

/// Runs admission plugins in their order.
public final class AdmissionChain {
  private final List<AdmissionPlugin> plugins;

  public AdmissionChain(List<AdmissionPlugin> plugins) {
    this.plugins = List.copyOf(plugins);
  }

  public void mutate(AdmissionAttributes attributes) {
    plugins.forEach(plugin -> plugin.mutate(attributes));
  }

  public void validate(AdmissionAttributes attributes) {
    plugins.forEach(plugin -> plugin.validate(attributes));
  }

  /// Reserves resources from all plugins or from none.
  ///
  /// @return releases the reservations
  public Runnable reserve(AdmissionAttributes attributes) {
    List<Runnable> taken = new ArrayList<>();
    Runnable giveBack = () -> taken.reversed().forEach(Runnable::run);
    try {
      plugins.forEach(plugin -> taken.add(plugin.reserve(attributes)));
    } catch (RuntimeException e) {
      giveBack.run();
      throw e;
    }
    return giveBack;
  }

  public void committed(AdmissionAttributes attributes) {
    plugins.forEach(plugin -> plugin.committed(attributes));
  }
}
