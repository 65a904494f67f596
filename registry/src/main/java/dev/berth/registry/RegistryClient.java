package dev.berth.registry;

import dev.berth.registry.ImageManifest.ContentDescriptor;
import dev.berth.registry.credentials.RegistryCredentials;
import dev.berth.registry.platforms.ImageIndex;
import dev.berth.registry.platforms.ImagePlatform;
import dev.berth.registry.platforms.IndexEntry;
import dev.berth.registry.platforms.PlatformMatcher;
import dev.berth.registry.platforms.PlatformMismatch;
import dev.berth.registry.platforms.TargetPlatform;
import dev.berth.registry.transport.FailureKind;
import dev.berth.registry.transport.FileSink;
import dev.berth.registry.transport.RegistryTransport;
import dev.berth.registry.transport.TimeBudget;
import dev.berth.registry.transport.TransportException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/// Looks images up in registries and chooses among their entries.
///
/// Calls block, and end when their time is over, when the caller's thread is interrupted, or when
/// the client is closed. Every failure is a `RegistryException`. Use one client for many images: it
/// keeps connections, tokens and documents. Credentials never change what others get.
public final class RegistryClient implements AutoCloseable {
  /// Of an index whose entries do not say what they are for.
  private static final int MOST_LOOKED_INTO = 16;

  private static final long UNKNOWN_SIZE = 64L << 30;

  private final Supplier<RegistrySettings> settings;
  private final DocumentCache cache = new DocumentCache();
  private final ReentrantLock lock = new ReentrantLock();

  /// Replaced under the lock when the settings change. Requests that run keep theirs, and nothing
  /// else holds it then.
  private volatile OpenTransport open;

  /// Connections and tokens that belong to settings.
  private record OpenTransport(RegistrySettings settings, RegistryTransport transport) {
    static OpenTransport of(RegistrySettings settings) {
      return new OpenTransport(
          settings,
          new RegistryTransport(
              settings.limits(),
              settings.proxies(),
              settings.trust(),
              Thread::sleep,
              new Random()));
    }
  }

  public RegistryClient(RegistrySettings settings) {
    this(() -> settings);
  }

  /// With settings that may change, which count from the next request on.
  public RegistryClient(Supplier<RegistrySettings> settings) {
    this.settings = settings;
    this.open = OpenTransport.of(settings.get());
  }

  private OpenTransport current() {
    RegistrySettings now = settings.get();
    if (!open.settings().equals(now)) {
      lock.lock();
      try {
        if (!open.settings().equals(now)) {
          open = OpenTransport.of(now);
        }
      } finally {
        lock.unlock();
      }
    }
    return open;
  }

  /// The entry for a handler, whose platform is known to fit. An image without an index is looked
  /// into; `locate` saves that.
  public ResolvedImage resolve(ImageRequest request, TargetPlatform target) {
    return attempt(request, repository -> choose(request.image(), repository, target, true));
  }

  /// The entry for a handler in one request, or none when it is known: an image without an index is
  /// taken as it is, and fails when it is run if it does not fit, as runtimes have it.
  public ResolvedImage locate(ImageRequest request, TargetPlatform target) {
    return attempt(request, repository -> choose(request.image(), repository, target, false));
  }

  /// All that an image has, as its index says it, in one request.
  public PlatformListing entries(ImageRequest request) {
    return attempt(request, RegistryClient::list);
  }

  /// All that an image has; entries that do not say what they are for are looked into.
  public PlatformListing platforms(ImageRequest request) {
    return attempt(
        request,
        repository -> {
          PlatformListing listing = list(repository);
          return new PlatformListing(
              listing.digest(), listing.isIndex(), lookedInto(listing.index(), repository));
        });
  }

  /// The manifest of an entry.
  public ImageManifest manifest(ImageRequest request, String digest) {
    return attempt(request, repository -> readable(repository.manifest(digest)));
  }

  /// The configuration that a manifest names, in JSON.
  public RegistryDocument config(ImageRequest request, ContentDescriptor config) {
    return attempt(request, repository -> repository.config(config.digest()));
  }

  /// Writes a blob to a file, which is complete and right when it is there.
  public void pullBlob(ImageRequest request, ContentDescriptor blob, Path file) {
    attempt(
        request,
        repository -> {
          Path partial = file.resolveSibling(file.getFileName() + ".partial");
          try {
            try (FileChannel channel =
                FileChannel.open(
                    partial,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
              read(blob, new FileSink(channel, limit(blob)), repository);
            }
            return Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
          } catch (IOException e) {
            throw new TransportException(
                FailureKind.LOCAL_ERROR, "%s cannot be written: %s".formatted(file, e), e);
          } finally {
            deleteQuietly(partial);
          }
        });
  }

  /// Reads a blob and throws it away, to know that it is there and right.
  public void checkBlob(ImageRequest request, ContentDescriptor blob) {
    attempt(request, repository -> read(blob, new FileSink(null, limit(blob)), repository));
  }

  private static ContentDescriptor read(
      ContentDescriptor blob, FileSink sink, ImageRepository repository) {
    repository.blob(blob.digest(), sink);
    return blob;
  }

  private static long limit(ContentDescriptor blob) {
    return blob.size() == 0 ? UNKNOWN_SIZE : blob.size();
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // A file that is left over is overwritten by the next attempt.
    }
  }

  /// With one of the caller's credentials after the other, as long as they may be the reason.
  private <T> T attempt(ImageRequest request, Function<ImageRepository, T> action) {
    TimeBudget budget = TimeBudget.startingNow(request.limit());
    List<RegistryCredentials> all =
        request.credentials().isEmpty() ? List.of(RegistryCredentials.NONE) : request.credentials();
    OpenTransport now = current();
    for (int i = 0; ; i++) {
      ImageRepository repository =
          new ImageRepository(request, all.get(i), budget, now.settings(), now.transport(), cache);
      try {
        return action.apply(repository);
      } catch (TransportException e) {
        boolean isLast = i == all.size() - 1 || budget.isOver();
        if (isLast || !mayBeTheCredentials(e.kind())) {
          throw new RegistryException(
              FailureTexts.problem(request.image(), e.kind(), String.valueOf(e.getMessage())), e);
        }
      }
    }
  }

  /// Registries hide private images behind any of these.
  private static boolean mayBeTheCredentials(FailureKind kind) {
    return kind == FailureKind.UNAUTHORIZED
        || kind == FailureKind.FORBIDDEN
        || kind == FailureKind.NOT_FOUND;
  }

  private static PlatformListing list(ImageRepository repository) {
    RegistryDocument top = repository.resolve();
    if (top.isIndex()) {
      return new PlatformListing(top.digest(), true, IndexExpansion.expand(top, repository));
    }
    readable(top);
    IndexEntry only =
        new IndexEntry(
            top.digest(), top.json().path("mediaType").asText(), top.size(), null, Map.of());
    return new PlatformListing(top.digest(), false, new ImageIndex(List.of(only)));
  }

  private static ResolvedImage choose(
      ImageReference image, ImageRepository repository, TargetPlatform target, boolean strict) {
    PlatformListing listing = list(repository);
    PlatformMatcher matcher = new PlatformMatcher(target);
    Optional<IndexEntry> entry = matcher.choose(listing.index());
    boolean isKnown =
        entry.isPresent() && (entry.get().platform() != null || (!strict && !listing.isIndex()));
    if (isKnown) {
      return new ResolvedImage(image, listing, entry.orElseThrow());
    }
    ImageIndex known = entry.isEmpty() ? listing.index() : lookedInto(listing.index(), repository);
    PlatformListing complete = new PlatformListing(listing.digest(), listing.isIndex(), known);
    return matcher
        .choose(known)
        .map(found -> new ResolvedImage(image, complete, found))
        .orElseThrow(() -> mismatch(matcher.mismatch(image.familiar(), known)));
  }

  private static RegistryException mismatch(PlatformMismatch mismatch) {
    return new RegistryException(mismatch);
  }

  /// With the platforms of their configurations where entries do not say theirs.
  private static ImageIndex lookedInto(ImageIndex index, ImageRepository repository) {
    List<IndexEntry> entries = new ArrayList<>();
    int looked = 0;
    for (IndexEntry entry : index.entries()) {
      boolean unknown = entry.platform() == null && !entry.isAttestation() && !entry.isIndex();
      if (unknown && looked++ < MOST_LOOKED_INTO) {
        entries.add(withConfig(entry, repository));
      } else {
        entries.add(entry);
      }
    }
    return new ImageIndex(entries);
  }

  /// A configuration without a system says nothing, as that of an artifact.
  private static IndexEntry withConfig(IndexEntry entry, ImageRepository repository) {
    ImageManifest manifest = readable(repository.manifest(entry.digest()));
    ImagePlatform platform =
        IndexReader.platform(repository.config(manifest.config().digest()).json());
    return platform.os().isEmpty() ? entry : entry.withPlatform(platform);
  }

  private static ImageManifest readable(RegistryDocument document) {
    if (!document.isManifest()) {
      throw new TransportException(
          FailureKind.NOT_A_MANIFEST,
          "what the registry answers is neither an index nor a manifest of schema 2");
    }
    return ImageManifest.of(document);
  }

  @Override
  public void close() {
    open.transport().close();
  }
}
