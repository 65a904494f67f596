package dev.berth.vm.machine;

/// What a QEMU process uses on the host.
///
/// @param privateBytes memory that would be free without the process
/// @param residentBytes with pages that clones of a template share
public record MachineUsage(long cpuNanos, long privateBytes, long residentBytes) {}
