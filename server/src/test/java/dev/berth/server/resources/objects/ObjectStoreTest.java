package dev.berth.server.resources.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.errors.ApiException;
import dev.berth.server.kinds.ResourceKind;
import dev.berth.server.resources.StoreFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ObjectStoreTest {
  private final StoreFixture fixture = new StoreFixture();
  private final ResourceKind configMaps = fixture.target("t").kind();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void whoOwnsWhatIsDroppedWhenThereIsNoRoomForIt() {
    ObjectNode object = fixture.put("t", "a", "x");
    object.putObject("data").put("k", "v".repeat(1_400_000));
    ObjectMetadata.of(object)
        .putArray("managedFields")
        .addObject()
        .put("manager", "m".repeat(200_000));
    long revision = fixture.store().get(configMaps, "t", "a").revision();

    fixture.store().replace(configMaps, object, revision);

    ObjectNode stored = fixture.store().get(configMaps, "t", "a").value().tree();
    assertThat(stored.at("/data/k").asText()).hasSize(1_400_000);
    assertThat(stored.path("metadata").has("managedFields")).isFalse();
  }

  @Test
  void anObjectThatIsTooLargeWithoutThemIsRefused() {
    ObjectNode object = fixture.put("t", "a", "x");
    object.putObject("data").put("k", "v".repeat(1_600_000));
    ObjectMetadata.of(object).putArray("managedFields").addObject().put("manager", "m");
    assertThatThrownBy(() -> fixture.store().replace(configMaps, object, 2))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("at most 1500000 can be stored");
  }
}
