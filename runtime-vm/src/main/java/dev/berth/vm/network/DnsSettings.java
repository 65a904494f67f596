package dev.berth.vm.network;

import java.util.List;

/// Name resolution as plugins propose it; a pod's own settings come before it.
public record DnsSettings(List<String> nameservers, List<String> searches, List<String> options) {
  public static final DnsSettings NONE = new DnsSettings(List.of(), List.of(), List.of());

  public DnsSettings {
    nameservers = List.copyOf(nameservers);
    searches = List.copyOf(searches);
    options = List.copyOf(options);
  }
}
