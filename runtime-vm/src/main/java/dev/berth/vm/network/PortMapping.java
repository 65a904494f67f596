package dev.berth.vm.network;

/// A port of the host that leads to a port of a pod.
///
/// @param protocol `tcp`, `udp` or `sctp`
/// @param hostAddress empty for all addresses of the host
public record PortMapping(String protocol, int hostPort, int podPort, String hostAddress) {}
