package dev.berth.agent.node.usage;

import dev.berth.agent.node.usage.UsageReader.SandboxUse;
import dev.berth.cri.v1.FilesystemUsage;
import dev.berth.cri.v1.ImageFsInfoResponse;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Makes the node's `/stats/summary`: asks runtime services, for no longer than they may take, and
/// never waits for a disk to be measured.
///
/// @param storage by the pods' UIDs, as it was measured last
public record Summaries(
    UsageReader reader, Supplier<MachineUse> machine, Supplier<Map<String, PodStorage>> storage) {
  public byte[] read() {
    NodeUsage usage = reader.read();
    Map<String, SandboxUse> sandboxes = reader.sandboxes();
    List<ImageFsInfoResponse> stores = reader.stores();
    return new Summary(
            usage,
            machine.get(),
            sandboxes,
            storage.get(),
            StoreUse.of(all(stores.stream().map(ImageFsInfoResponse::getImageFilesystemsList))),
            StoreUse.of(all(stores.stream().map(ImageFsInfoResponse::getContainerFilesystemsList))))
        .json();
  }

  private static List<FilesystemUsage> all(Stream<List<FilesystemUsage>> lists) {
    return lists.flatMap(List::stream).toList();
  }
}
