package dev.berth.vm.network;

/// An address of a pod.
///
/// @param prefixLength such as 24; 32 or 128 if other addresses of the range are behind a gateway
/// @param gateway empty if the plugin named none
public record InterfaceAddress(String address, int prefixLength, String gateway) {}
