package dev.berth.server.validation.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.defaults.CoreDefaults;
import dev.berth.server.validation.FieldError;
import dev.berth.server.validation.FieldErrors;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The rules of what an upstream kubelet and its CSI drivers write.
class StorageValidationTest {
  private static ObjectNode read(String json) throws IOException {
    return (ObjectNode) new ObjectMapper().readTree(json.replace('\'', '"'));
  }

  private static ObjectNode node(String drivers) throws IOException {
    return read("{'metadata':{'name':'n'},'spec':{'drivers':[" + drivers + "]}}");
  }

  private static List<String> fields(FieldErrors errors) {
    return errors.toList().stream().map(FieldError::field).toList();
  }

  @Test
  void aNodeNamesEachDriverOnceWithItsOwnName() throws IOException {
    FieldErrors none = new FieldErrors();
    new CsiNodeValidation()
        .onCreate(
            node("{'name':'d.example','nodeID':'n','topologyKeys':['example.com/zone']}"), none);
    assertThat(fields(none)).isEmpty();

    FieldErrors errors = new FieldErrors();
    new CsiNodeValidation()
        .onCreate(
            node(
                "{'name':'d','nodeID':'','allocatable':{'count':-1}},"
                    + "{'name':'d','nodeID':'n','topologyKeys':['a','a']}"),
            errors);
    assertThat(fields(errors))
        .containsExactlyInAnyOrder(
            "spec.drivers[0].nodeID",
            "spec.drivers[0].allocatable.count",
            "spec.drivers[1].name",
            "spec.drivers[1]");
  }

  @Test
  void whatADriverSaidOfANodeStays() throws IOException {
    ObjectNode old = node("{'name':'d','nodeID':'a','topologyKeys':null}");
    FieldErrors errors = new FieldErrors();
    new CsiNodeValidation()
        .onUpdate(node("{'name':'d','nodeID':'b','topologyKeys':null}"), old, errors);
    assertThat(fields(errors)).containsExactly("CSINodeDriver");

    FieldErrors none = new FieldErrors();
    new CsiNodeValidation().onUpdate(node(""), old, none);
    assertThat(fields(none)).isEmpty();
  }

  /// As upstream answers to a driver with an empty spec.
  @Test
  void aDriverHasDefaults() throws IOException {
    ObjectNode driver = read("{'metadata':{'name':'cap'},'spec':{}}");
    CoreDefaults.csiDriver(driver);
    assertThat(driver.path("spec"))
        .isEqualTo(
            read(
                "{'attachRequired':true,'podInfoOnMount':false,'volumeLifecycleModes':['Persistent'],"
                    + "'storageCapacity':false,'fsGroupPolicy':'ReadWriteOnceWithFSType',"
                    + "'requiresRepublish':false,'seLinuxMount':false}"));
    FieldErrors none = new FieldErrors();
    new CsiDriverValidation().onCreate(driver, none);
    assertThat(fields(none)).isEmpty();
  }

  @Test
  void anAttachmentNamesDriverVolumeAndNode() throws IOException {
    FieldErrors errors = new FieldErrors();
    new VolumeAttachmentValidation()
        .onCreate(read("{'spec':{'attacher':'d','source':{},'nodeName':'n'}}"), errors);
    assertThat(fields(errors)).containsExactly("spec.source");
  }
}
