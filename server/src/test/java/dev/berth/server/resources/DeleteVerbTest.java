package dev.berth.server.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.resources.requests.DeleteOptions;
import dev.berth.server.resources.requests.ListOptions;
import dev.berth.server.resources.requests.RequestQuery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeleteVerbTest {
  private final StoreFixture fixture = new StoreFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aCollectionIsDeletedInChunks() {
    for (int i = 0; i < 3; i++) {
      fixture.put("t", "c" + i, "x");
    }
    long revision = fixture.store().raw().revision();

    VerbAnswer.Listing first = deleteCollection("limit=2");
    assertThat(first.items()).extracting(entry -> entry.value().name()).containsExactly("c0", "c1");
    assertThat(first.revision()).isEqualTo(revision);
    assertThat(first.remaining()).isEqualTo(1);
    VerbAnswer.Listing second = deleteCollection("limit=2&continue=" + first.continueToken());
    assertThat(second.items()).extracting(entry -> entry.value().name()).containsExactly("c2");
    assertThat(second.continueToken()).isEmpty();

    assertThat(deleteCollection("").items()).isEmpty();
  }

  private VerbAnswer.Listing deleteCollection(String query) {
    VerbAnswer answer =
        fixture
            .verbs()
            .deleter()
            .deleteCollection(
                fixture.target("t"),
                ListOptions.parse(RequestQuery.parse(query), false),
                DeleteOptions.parse(null, RequestQuery.parse("")));
    return (VerbAnswer.Listing) answer;
  }
}
