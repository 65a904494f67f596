package dev.berth.vm.network;

/// What plugins are called with for a pod. It is kept, because plugins must remove their part with
/// the configuration that they added it with.
record PluginAttachment(NetworkList list, PodIdentity pod) {}
