package dev.berth.server.admission;

import java.util.ArrayList;
import java.util.List;

/// Runs admission plugins in their order. The verbs call it through `WriteRules`, in the order
/// mutate, validate, reserve, committed; a retry after a concurrent write repeats the phases.
///
/// The first plugin that throws ends the write. The chain has no state, so any number of requests
/// may use it at the same time; plugins with state take care of themselves.
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
      // A plugin behind the others refused, so those before it must release what they hold.
      giveBack.run();
      throw e;
    }
    return giveBack;
  }

  public void committed(AdmissionAttributes attributes) {
    plugins.forEach(plugin -> plugin.committed(attributes));
  }
}
