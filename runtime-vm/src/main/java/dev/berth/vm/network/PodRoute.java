package dev.berth.vm.network;

/// A route that the guest sets.
///
/// @param destination with its prefix length, such as `0.0.0.0/0`
/// @param gateway empty: the destination is on the link
public record PodRoute(String destination, String gateway) {}
