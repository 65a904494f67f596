package dev.berth.launch;

import java.net.InetAddress;
import java.nio.file.Path;

/// Everything that the command line decides about a control plane, already checked.
///
/// @param dataDir holds all state: the journal, certificates, kubeconfigs
/// @param securePort 0 takes any free port
public record LaunchConfig(
    Path dataDir,
    InetAddress bindAddress,
    int securePort,
    StoreChoice store,
    boolean immutableRuntimeHandlers) {}
