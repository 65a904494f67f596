package dev.berth.vm.pods;

import dev.berth.vm.guest.GuestAgent;
import dev.berth.vm.guest.GuestListener;
import dev.berth.vm.guest.model.OutputPosition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/// Connects to guests; [GuestAgent#connect] is the real one.
@FunctionalInterface
public interface GuestOpener {
  GuestAgent connect(
      Path socket, Duration limit, GuestListener listener, Map<String, OutputPosition> positions);
}
