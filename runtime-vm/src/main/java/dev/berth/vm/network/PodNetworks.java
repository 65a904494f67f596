package dev.berth.vm.network;

import dev.berth.api.Problem;
import java.util.List;
import java.util.Optional;

/// Networks of pods. Everything about a network is on disk before it exists, so that a new process
/// can remove it.
///
/// A machine needs only the interface to start, and plugins take longer: [#create] first, then
/// [#connect] while QEMU starts.
public interface PodNetworks {
  /// Makes the namespace and the tap device.
  ///
  /// @param owner the user id that may open the tap device
  PodInterface create(String sandboxId, int owner);

  /// Runs the plugins and joins what they made with the tap device.
  ///
  /// @throws NetworkException and nothing is left of the network but what [#create] made
  PodAddresses connect(PodIdentity pod);

  /// What [#connect] returned, also in an earlier process.
  Optional<PodAddresses> addresses(String sandboxId);

  /// The sandboxes that have a network, or the rest of one.
  List<String> sandboxes();

  /// Removes everything, also after a start that ended half-way; does nothing where nothing is.
  void remove(String sandboxId);

  /// Why no network can be made now, such as a missing configuration; for the condition
  /// `NetworkReady`.
  Optional<Problem> unready();
}
