package dev.berth.server.resources;

import dev.berth.server.errors.ApiException;
import dev.berth.server.errors.ApiStatus;
import dev.berth.server.resources.objects.ContinueToken;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.objects.StoredObject;
import dev.berth.server.resources.requests.ListOptions;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.store.RevisionAheadException;
import dev.berth.store.RevisionCompactedException;
import dev.berth.store.StoreEntry;
import dev.berth.store.StoreSnapshot;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// GET of a collection: a consistent snapshot, whole or in chunks.
///
/// All chunks of a list show one revision: the continue token carries it, and the store keeps old
/// revisions until compaction. When the revision is gone, the answer is 410 with a token that
/// continues at the newest revision instead, so that a client may choose an inconsistent list over
/// a restart. A list holds no lock; writers go on meanwhile.
public final class ListVerb {
  private static final String TOO_OLD = "The resourceVersion for the provided list is too old.";
  private static final String TOKEN_TOO_OLD =
      "The provided continue parameter is too old to display a consistent list result. You can"
          + " start a new list without the continue parameter, or use the continue token in this"
          + " response to retrieve the remainder of the results. Continuing with the provided token"
          + " results in an inconsistent list - objects that were created, modified, or deleted"
          + " between the time the first chunk was returned and now may show up in the list.";

  private final ObjectStore store;

  public ListVerb(ObjectStore store) {
    this.store = store;
  }

  public VerbAnswer.Listing list(RequestTarget target, ListOptions options) {
    ObjectSelection selection = ObjectSelection.of(target, options);
    if (!options.continueToken().isEmpty()) {
      return nextChunk(target, selection, options);
    }
    StoreSnapshot<StoredObject> snapshot = snapshot(target, options).prefix(selection.keyPrefix());
    // A list from the cache has no chunks: upstream ignores the limit there, and clients rely on
    // it.
    long limit = options.resourceVersion() == 0 ? 0 : options.limit();
    return collect(selection, snapshot, limit, snapshot.revision());
  }

  private StoreSnapshot<StoredObject> snapshot(RequestTarget target, ListOptions options) {
    String bucket = target.kind().bucket();
    long version = options.resourceVersion();
    // A resourceVersion with a limit means exactly this revision, without a limit at least this
    // revision. Upstream documents the rule under "Semantics for get and list".
    boolean exact =
        options.match() == ListOptions.Match.EXACT
            || (options.match() == ListOptions.Match.UNSET && version > 0 && options.limit() > 0);
    store.freshness().await(version);
    if (!exact) {
      return store.raw().snapshot(bucket);
    }
    try {
      return store.raw().snapshotAt(bucket, version);
    } catch (RevisionCompactedException e) {
      throw ApiException.expired(TOO_OLD);
    }
  }

  private VerbAnswer.Listing nextChunk(
      RequestTarget target, ObjectSelection selection, ListOptions options) {
    if (options.resourceVersion() > 0) {
      throw ApiException.badRequest(
          "specifying resource version is not allowed when using continue");
    }
    ContinueToken token = ContinueToken.decode(options.continueToken());
    String from = selection.keyPrefix() + token.start().replaceFirst("^/", "");
    String bucket = target.kind().bucket();
    if (token.revision() < 0 || token.revision() > store.raw().revision()) {
      // Another server may have issued the token for a revision that this server has not seen yet.
      store.freshness().awaitNewest();
    }
    StoreSnapshot<StoredObject> snapshot;
    try {
      snapshot =
          token.revision() < 0
              ? store.raw().snapshot(bucket)
              : store.raw().snapshotAt(bucket, token.revision());
    } catch (RevisionCompactedException | RevisionAheadException e) {
      // A token ahead of the store is from before a restore of an older backup.
      throw tokenExpired(token);
    }
    StoreSnapshot<StoredObject> rest = snapshot.prefix(selection.keyPrefix()).startingAt(from);
    return collect(selection, rest, options.limit(), snapshot.revision());
  }

  private static ApiException tokenExpired(ContinueToken token) {
    return new ApiException(
        new ApiStatus(410, "Expired", TOKEN_TOO_OLD, ApiStatus.Details.ABSENT)
            .withContinue(new ContinueToken(-1, token.start()).encode()));
  }

  private static VerbAnswer.Listing collect(
      ObjectSelection selection, StoreSnapshot<StoredObject> snapshot, long limit, long revision) {
    String only = selection.onlyName();
    if (!only.isEmpty()
        && selection.keyPrefix().indexOf('/') != selection.keyPrefix().length() - 1) {
      snapshot = snapshot.prefix(selection.keyPrefix() + only);
    }
    boolean everything = selection.isEverything();
    List<StoreEntry<StoredObject>> items =
        new ArrayList<>(everything && limit == 0 ? snapshot.size() : 16);
    Iterator<StoreEntry<StoredObject>> entries = snapshot.iterator();
    while (entries.hasNext()) {
      StoreEntry<StoredObject> entry = entries.next();
      // An unreadable object fails the list: whether the selector matches it is unknown.
      entry.value().requireReadable();
      if (everything || selection.matches(entry.value())) {
        items.add(entry);
        if (limit > 0 && items.size() >= limit && entries.hasNext()) {
          // The zero byte makes the smallest key after this one, so an object that is deleted
          // between two chunks does not matter.
          String start = entry.key().substring(selection.keyPrefix().length()) + "\0";
          // With a selector the number is unknown without reading everything; upstream omits it,
          // too.
          long remaining = everything ? snapshot.size() - items.size() : -1;
          return new VerbAnswer.Listing(
              items, revision, new ContinueToken(revision, start).encode(), remaining);
        }
      }
    }
    return new VerbAnswer.Listing(items, revision, "", -1);
  }
}
