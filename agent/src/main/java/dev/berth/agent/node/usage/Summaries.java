package dev.berth.agent.node.usage;

import dev.berth.agent.node.usage.UsageReader.Everything;
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
    Everything told = reader.readAll();
    List<ImageFsInfoResponse> stores = told.stores();
    return new Summary(
            told.usage(),
            machine.get(),
            told.sandboxes(),
            storage.get(),
            StoreUse.of(all(stores.stream().map(ImageFsInfoResponse::getImageFilesystemsList))),
            StoreUse.of(all(stores.stream().map(ImageFsInfoResponse::getContainerFilesystemsList))))
        .json();
  }

  private static List<FilesystemUsage> all(Stream<List<FilesystemUsage>> lists) {
    return lists.flatMap(List::stream).toList();
  }
}
