package dev.berth.vm.guest.model;

import java.time.Instant;
import java.util.Optional;

/// What the guest has of a container.
///
/// @param started empty before the start
/// @param exit present once it ended
public record GuestContainerState(
    String id, Instant created, Optional<Instant> started, Optional<GuestExit> exit) {}
