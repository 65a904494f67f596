package dev.berth.server.admission.quotas;

import static dev.berth.server.admission.Writes.json;
import static dev.berth.server.admission.Writes.kind;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.admission.AdmissionAttributes.Operation;
import dev.berth.server.admission.Writes;
import dev.berth.server.errors.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What quotas are charged for, what they refuse, and what they get back.
class QuotaAdmissionTest {
  private static final String POD =
      "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','resources':{'requests':"
          + "{'cpu':'%s'},'limits':{'memory':'1Gi'}}}]}}";

  private final FakeQuotas quotas = new FakeQuotas();
  private final QuotaAdmission plugin = new QuotaAdmission(quotas);

  @Test
  void newObjectsAreCharged() {
    quotas
        .with("cpu", "{'requests.cpu':'2'}", "{'requests.cpu':'500m'}")
        .with("objects", "{'pods':'5','count/pods':'5'}", "{'pods':'1','count/pods':'1'}");
    plugin.reserve(pod("1"));
    assertThat(quotas.used("cpu")).isEqualTo("requests.cpu=1500m");
    assertThat(quotas.used("objects")).isEqualTo("count/pods=2,pods=2");
  }

  @Test
  void whatExceedsAQuotaIsRefusedAndChargesNone() {
    quotas
        .with("a", "{'pods':'5'}", "{'pods':'1'}")
        .with(
            "b",
            "{'requests.cpu':'2','limits.memory':'1Gi'}",
            "{'requests.cpu':'1500m','limits.memory':'0'}");
    assertThatThrownBy(() -> plugin.reserve(pod("1")))
        .hasMessage(
            "pods \"p\" is forbidden: exceeded quota: b, requested: requests.cpu=1, used:"
                + " requests.cpu=1500m, limited: requests.cpu=2");
    assertThat(quotas.used("a")).isEqualTo("pods=1");
    assertThat(quotas.writes).hasValue(0);
  }

  @Test
  void containersMustSayWhatIsCounted() {
    quotas.with(
        "q",
        "{'limits.cpu':'2','requests.memory':'2Gi'}",
        "{'limits.cpu':'0','requests.memory':'0'}");
    assertThatThrownBy(() -> plugin.reserve(pod("1")))
        .hasMessage(
            "pods \"p\" is forbidden: failed quota: q: must specify limits.cpu for: c;"
                + " requests.memory for: c");
  }

  @Test
  void aQuotaThatIsNotCountedYetRefusesWhatItKnowsNothingOf() {
    quotas.with("q", "{'pods':'2'}", "{}");
    assertThatThrownBy(() -> plugin.reserve(pod("1")))
        .hasMessage("pods \"p\" is forbidden: status unknown for quota: q, resources: pods");
  }

  @Test
  void scopesDecideWhichQuotaIsCharged() {
    quotas
        .with("best", "{'scopes':['BestEffort']}", "{'pods':'0'}", "{'pods':'0'}")
        .with("rest", "{'scopes':['NotBestEffort']}", "{'pods':'9'}", "{'pods':'0'}");
    plugin.reserve(pod("1"));
    assertThat(quotas.used("best")).isEqualTo("pods=0");
    assertThat(quotas.used("rest")).isEqualTo("pods=1");
  }

  @Test
  void aDryRunIsJudgedAndNotCharged() {
    quotas.with("q", "{'pods':'1'}", "{'pods':'0'}");
    plugin.reserve(write(Operation.CREATE, "pods", "", json(POD.formatted("1")), null, true));
    assertThat(quotas.used("q")).isEqualTo("pods=0");
    quotas.with("q", "{'pods':'1'}", "{'pods':'1'}");
    assertThatThrownBy(
            () ->
                plugin.reserve(
                    write(Operation.CREATE, "pods", "", json(POD.formatted("1")), null, true)))
        .hasMessageContaining("exceeded quota: q");
  }

  @Test
  void whatIsNotStoredIsGivenBack() {
    quotas.with("q", "{'pods':'2','requests.cpu':'3'}", "{'pods':'1','requests.cpu':'1'}");
    plugin.reserve(pod("1")).run();
    assertThat(quotas.used("q")).isEqualTo("pods=1,requests.cpu=1");
  }

  @Test
  void deletedObjectsAreFreed() {
    quotas.with("q", "{'pods':'2','requests.cpu':'3'}", "{'pods':'1','requests.cpu':'1500m'}");
    plugin.committed(write(Operation.DELETE, "pods", "", null, json(POD.formatted("1")), false));
    assertThat(quotas.used("q")).isEqualTo("pods=0,requests.cpu=500m");
    plugin.committed(write(Operation.DELETE, "pods", "", null, json(POD.formatted("1")), false));
    assertThat(quotas.used("q")).isEqualTo("pods=0,requests.cpu=0");
  }

  @Test
  void finishedPodsCountAsObjectsOnly() {
    quotas.with("q", "{'pods':'2','count/pods':'2'}", "{'pods':'1','count/pods':'1'}");
    ObjectNode finished = json(POD.formatted("1"));
    finished.withObject("/status").put("phase", "Succeeded");
    plugin.committed(
        write(Operation.UPDATE, "pods", "status", finished, json(POD.formatted("1")), false));
    assertThat(quotas.used("q")).isEqualTo("count/pods=1,pods=0");
    plugin.committed(write(Operation.DELETE, "pods", "", null, finished, false));
    assertThat(quotas.used("q")).isEqualTo("count/pods=0,pods=0");
  }

  @Test
  void changesAreChargedByTheDifference() {
    quotas.with(
        "q",
        "{'services.nodeports':'1','services':'1'}",
        "{'services.nodeports':'0','services':'1'}");
    ObjectNode plain = json("{'metadata':{'name':'s'},'spec':{'type':'ClusterIP','ports':[{}]}}");
    ObjectNode exposed = json("{'metadata':{'name':'s'},'spec':{'type':'NodePort','ports':[{}]}}");
    plugin.reserve(write(Operation.UPDATE, "services", "", exposed, plain, false));
    assertThat(quotas.used("q")).isEqualTo("services=1,services.nodeports=1");
    plugin.committed(write(Operation.UPDATE, "services", "", plain, exposed, false));
    assertThat(quotas.used("q")).isEqualTo("services=1,services.nodeports=0");
    ObjectNode wide = json("{'metadata':{'name':'s'},'spec':{'type':'NodePort','ports':[{},{}]}}");
    assertThatThrownBy(
            () -> plugin.reserve(write(Operation.UPDATE, "services", "", wide, plain, false)))
        .hasMessage(
            "services \"s\" is forbidden: exceeded quota: q, requested: services.nodeports=2,"
                + " used: services.nodeports=0, limited: services.nodeports=1");
  }

  @Test
  void resizesAreCharged() {
    quotas.with("q", "{'requests.cpu':'3'}", "{'requests.cpu':'1'}");
    plugin.reserve(
        write(
            Operation.UPDATE,
            "pods",
            "resize",
            json(POD.formatted("2")),
            json(POD.formatted("1")),
            false));
    assertThat(quotas.used("q")).isEqualTo("requests.cpu=2");
  }

  @Test
  void anotherServerThatWasFasterCounts() {
    quotas.with("q", "{'pods':'2'}", "{'pods':'0'}");
    quotas.interfere(other -> other.with("q", "{'pods':'2'}", "{'pods':'1'}"));
    plugin.reserve(pod("1"));
    assertThat(quotas.used("q")).isEqualTo("pods=2");
  }

  @Test
  void whatOneQuotaTookIsGivenBackWhenAnotherIsExhaustedMeanwhile() {
    quotas.with("a", "{'pods':'9'}", "{'pods':'0'}").with("b", "{'pods':'1'}", "{'pods':'0'}");
    quotas.interfere(other -> other.with("b", "{'pods':'1'}", "{'pods':'1'}"));
    assertThatThrownBy(() -> plugin.reserve(pod("1"))).hasMessageContaining("exceeded quota: b");
    assertThat(quotas.used("a")).isEqualTo("pods=0");
    assertThat(quotas.used("b")).isEqualTo("pods=1");
  }

  @Test
  void manyAtOnceNeverExceedTheQuota() throws Exception {
    quotas.with("q", "{'pods':'50','requests.cpu':'30'}", "{'pods':'0','requests.cpu':'0'}");
    int admitted = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> creations = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        creations.add(threads.submit(() -> isAdmitted("1")));
      }
      for (Future<Boolean> creation : creations) {
        admitted += creation.get() ? 1 : 0;
      }
    }
    assertThat(admitted).isEqualTo(30);
    assertThat(quotas.used("q")).isEqualTo("pods=30,requests.cpu=30");
  }

  private boolean isAdmitted(String cpu) {
    try {
      plugin.reserve(pod(cpu));
      return true;
    } catch (ApiException e) {
      return false;
    }
  }

  private static AdmissionAttributes pod(String cpu) {
    return write(Operation.CREATE, "pods", "", json(POD.formatted(cpu)), null, false);
  }

  private static AdmissionAttributes write(
      Operation operation,
      String bucket,
      String subresource,
      @Nullable ObjectNode object,
      @Nullable ObjectNode old,
      boolean dryRun) {
    return new AdmissionAttributes(
        operation,
        kind(bucket),
        subresource,
        "t1",
        "",
        object,
        old,
        Writes.ADMIN,
        dryRun,
        _ -> {},
        (_, _) -> {});
  }
}
