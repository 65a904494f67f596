package dev.berth.vm.service;

import dev.berth.api.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the service reports about itself.
public interface RuntimeFacts {
  /// Of Berth.
  String version();

  /// Why no machine can be started now; for the condition `RuntimeReady`.
  Optional<Problem> unready();

  /// For people: QEMU, accelerator, kernel.
  Map<String, String> hypervisor();

  /// The templates that are there, such as `128Mi-1`.
  List<String> templates();
}
