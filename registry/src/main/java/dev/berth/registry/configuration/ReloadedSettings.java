package dev.berth.registry.configuration;

import dev.berth.registry.RegistrySettings;
import dev.berth.registry.transport.ContentDigest;
import dev.berth.registry.transport.TrustedAuthorities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The settings of registries as the files say them now, so that a mirror or an authority can be
/// changed while a server or an agent runs. Files with a mistake change nothing; the log names it.
///
/// Any thread may ask. The files are compared by their content, at most once a second.
public final class ReloadedSettings implements Supplier<RegistrySettings> {
  private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Logger log = LoggerFactory.getLogger(ReloadedSettings.class);

  private final RegistryAccess access;
  private final LongSupplier nanos;

  /// Taken without waiting: who comes while another thread reads gets the settings before.
  private final ReentrantLock lock = new ReentrantLock();

  private volatile RegistrySettings current;

  /// The files that the settings were made of; guarded by the lock, as what follows.
  private Set<Path> files;

  private Map<Path, String> seen;
  private long looked;

  /// @param access with the settings that were read from the files when the program started
  /// @param nanos a clock that never goes back
  public ReloadedSettings(RegistryAccess access, LongSupplier nanos) {
    this.access = access;
    this.nanos = nanos;
    this.current = access.settings();
    this.looked = nanos.getAsLong();
    ConfigurationNotes notes = new ConfigurationNotes();
    if (hasFiles()) {
      // Only to know the files; the settings were read a moment ago.
      read(notes);
    }
    this.files = notes.files();
    this.seen = contents(files);
  }

  @Override
  public RegistrySettings get() {
    if (hasFiles() && lock.tryLock()) {
      try {
        look();
      } finally {
        lock.unlock();
      }
    }
    return current;
  }

  private boolean hasFiles() {
    return access.authority() != null || access.hosts() != null;
  }

  private void look() {
    long now = nanos.getAsLong();
    if (now - looked < PAUSE_NANOS) {
      return;
    }
    looked = now;
    Map<Path, String> found = contents(files);
    if (found.equals(seen)) {
      return;
    }
    ConfigurationNotes notes = new ConfigurationNotes();
    RegistrySettings next = read(notes);
    // With those of before: a file that is missing now may come back.
    files =
        Stream.concat(files.stream(), notes.files().stream())
            .collect(TreeSet::new, Set::add, Set::addAll);
    seen = contents(files);
    if (notes.mistakes().isEmpty()) {
      files = notes.files();
      seen = contents(files);
      current = next;
      log.info("settings of registries reloaded registries={}", next.endpoints().keySet());
    } else {
      log.error(
          "settings of registries have mistakes and stay as they were mistakes={}",
          notes.mistakes());
    }
  }

  private RegistrySettings read(ConfigurationNotes notes) {
    RegistrySettings settings = access.settings();
    List<Path> authorities = new ArrayList<>();
    if (access.authority() != null) {
      authorities.add(notes.used(access.authority()));
      try {
        settings = settings.withTrust(TrustedAuthorities.with(authorities));
      } catch (IOException | GeneralSecurityException e) {
        notes.mistake("%s must be a PEM file with certificates: %s".formatted(authorities, e));
      }
    }
    return access.hosts() == null
        ? settings
        : settings.withEndpoints(RegistryHosts.read(access.hosts(), authorities, notes));
  }

  /// The digest of each file, and the names in the directory of hosts.
  private Map<Path, String> contents(Set<Path> of) {
    Map<Path, String> contents = new TreeMap<>();
    for (Path file : of) {
      contents.put(file, content(file));
    }
    Path hosts = access.hosts();
    if (hosts != null) {
      try (Stream<Path> entries = Files.list(hosts)) {
        contents.put(hosts, entries.map(Path::toString).sorted().toList().toString());
      } catch (IOException e) {
        contents.put(hosts, e.toString());
      }
    }
    return contents;
  }

  private static String content(Path file) {
    try {
      return ContentDigest.of(Files.readAllBytes(file));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
