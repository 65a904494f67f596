package dev.berth.server.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.FieldSelector;
import dev.berth.server.auth.UserInfo;
import dev.berth.server.errors.ApiException;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.kinds.ServedVersion;
import dev.berth.server.kinds.catalog.KindOptions;
import dev.berth.server.kinds.catalog.ServedKinds;
import dev.berth.server.resources.objects.ObjectStore;
import dev.berth.server.resources.requests.AdmissionWarnings;
import dev.berth.server.resources.requests.ListOptions;
import dev.berth.server.resources.requests.RequestQuery;
import dev.berth.server.resources.requests.RequestTarget;
import dev.berth.server.schema.ObjectSchema;
import dev.berth.store.StoreHealth;
import dev.berth.store.StoreUnavailableException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListVerbTest {
  private final StoreFixture fixture = new StoreFixture();
  private final ListVerb lister = new ListVerb(fixture.store());

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void chunksComeFromOneSnapshot() {
    for (int i = 0; i < 5; i++) {
      fixture.put("a", "c" + i, "x");
    }
    VerbAnswer.Listing first = list("limit=2");
    assertThat(names(first)).isEqualTo("c0 c1");
    assertThat(first.remaining()).isEqualTo(3);
    fixture.delete("a", "c3");
    fixture.put("a", "c9", "x");

    VerbAnswer.Listing second = list("limit=2&continue=" + first.continueToken());
    assertThat(names(second)).isEqualTo("c2 c3");
    assertThat(second.revision()).isEqualTo(first.revision());
    VerbAnswer.Listing third = list("limit=2&continue=" + second.continueToken());
    assertThat(names(third)).isEqualTo("c4");
    assertThat(third.continueToken()).isEmpty();
  }

  @Test
  void aServerThatIsCutOffOnlyShowsAnOldStateToWhoWantsOne() {
    fixture.put("a", "c", "x");
    ObjectStore cutOff =
        new ObjectStore(
            new DelegatingStore(fixture.store().raw()) {
              @Override
              public void catchUp() {
                throw new StoreUnavailableException(
                    new StoreHealth.Degraded("etcd is away", "no answer", "Start it"), null);
              }
            },
            fixture.codec());
    RequestTarget all = fixture.target("a");
    RequestTarget one = fixture.target("configmaps", "c", "");
    fixture.put("t", "c", "x");
    for (String old : List.of("resourceVersion=0", "resourceVersion=1")) {
      assertThat(
              names(
                  new ListVerb(cutOff)
                      .list(all, ListOptions.parse(RequestQuery.parse(old), false))))
          .isEqualTo("c");
      assertThat(new GetVerb(cutOff).get(one, RequestQuery.parse(old)))
          .isInstanceOf(VerbAnswer.Stored.class);
    }
    ListOptions newest = ListOptions.parse(RequestQuery.parse(""), false);
    String message =
        "etcd is away: no answer. Start it; reads with resourceVersion=0 show the last state known"
            + " here";
    assertThatThrownBy(() -> new ListVerb(cutOff).list(all, newest)).hasMessage(message);
    assertThatThrownBy(() -> new GetVerb(cutOff).get(one, RequestQuery.parse("")))
        .hasMessage(message);
  }

  @Test
  void anExpiredTokenOffersToGoOnInconsistently() {
    for (int i = 0; i < 3; i++) {
      fixture.put("a", "c" + i, "x");
    }
    VerbAnswer.Listing first = list("limit=1");
    fixture.put("a", "c5", "x");
    fixture.store().raw().compact(fixture.store().raw().revision());
    assertThatThrownBy(() -> list("limit=2&continue=" + first.continueToken()))
        .asInstanceOf(InstanceOfAssertFactories.type(ApiException.class))
        .satisfies(
            e -> {
              assertThat(e.status().code()).isEqualTo(410);
              assertThat(e.status().reason()).isEqualTo("Expired");
              assertThat(names(list("continue=" + e.status().continueToken())))
                  .isEqualTo("c1 c2 c5");
            });
    assertThatThrownBy(() -> list("resourceVersionMatch=Exact&resourceVersion=" + first.revision()))
        .hasMessage("The resourceVersion for the provided list is too old.");
    assertThat(names(list("resourceVersionMatch=NotOlderThan&resourceVersion=" + first.revision())))
        .isEqualTo("c0 c1 c2 c5");
  }

  @Test
  void selectorsAndNamespacesNarrow() {
    fixture.put("a", "one", "x");
    fixture.put("a", "two", "y");
    fixture.put("ab", "three", "x");
    assertThat(names(list("labelSelector=l%3Dx"))).isEqualTo("one");
    assertThat(names(list("fieldSelector=metadata.name%3Dtwo"))).isEqualTo("two");
    assertThat(names(lister.list(fixture.target(""), options("labelSelector=l%3Dx"))))
        .isEqualTo("one three");
  }

  @Test
  void eventsAreSelectedByTheNamesOfTheirGroup() {
    assertThat(eventFields("events.k8s.io", "regarding.name=p,reportingController!=k,reason=r"))
        .extracting(FieldSelector.Requirement::field)
        .containsExactly("involvedObject.name", "reportingComponent", "reason");
    assertThat(eventFields("", "involvedObject.name=p")).hasSize(1);
    assertThatThrownBy(() -> eventFields("events.k8s.io", "involvedObject.name=p"))
        .hasMessage("field label not supported: involvedObject.name");
    assertThatThrownBy(() -> eventFields("", "regarding.name=p"))
        .hasMessage("field label not supported: regarding.name");
  }

  private static List<FieldSelector.Requirement> eventFields(String group, String selector) {
    ResourceKind events =
        ServedKinds.standard(ObjectSchema.load(), KindOptions.STANDARD)
            .bucket("events")
            .orElseThrow();
    ServedVersion version =
        events.versions().stream()
            .filter(served -> served.group().equals(group))
            .findFirst()
            .orElseThrow();
    RequestTarget target =
        new RequestTarget(
            events,
            version,
            "a",
            "",
            "",
            UserInfo.of("test"),
            new AdmissionWarnings(),
            Instant.EPOCH);
    String query = "fieldSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8);
    return ObjectSelection.of(target, options(query)).fields().requirements();
  }

  @Test
  void aListFromTheCacheHasNoChunks() {
    fixture.put("a", "one", "x");
    fixture.put("a", "two", "x");
    assertThat(names(list("limit=1&resourceVersion=0"))).isEqualTo("one two");
  }

  private VerbAnswer.Listing list(String query) {
    return lister.list(fixture.target("a"), options(query));
  }

  private static ListOptions options(String query) {
    return ListOptions.parse(RequestQuery.parse(query), false);
  }

  private static String names(VerbAnswer.Listing listing) {
    return String.join(" ", listing.items().stream().map(entry -> entry.value().name()).toList());
  }
}
