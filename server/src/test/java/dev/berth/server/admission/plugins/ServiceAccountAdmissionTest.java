package dev.berth.server.admission.plugins;

import static dev.berth.server.admission.Writes.json;
import static dev.berth.server.admission.Writes.newPod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.admission.AdmissionAttributes;
import dev.berth.server.auth.FakeObjects;
import dev.berth.server.auth.ObjectReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceAccountAdmissionTest {
  private final FakeObjects objects = new FakeObjects();
  private final ServiceAccountAdmission plugin =
      new ServiceAccountAdmission(objects, new Random(1), Duration.ZERO);

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "``, ``, true",
        "``, `,'automountServiceAccountToken':false`, false",
        "`,'automountServiceAccountToken':true`, `,'automountServiceAccountToken':false`, true",
        "`,'automountServiceAccountToken':false`, ``, false",
      })
  void podDecidesOnTheMountAndElseTheAccount(String ofPod, String ofAccount, boolean mounted) {
    objects.put(
        "serviceaccounts", json("{'metadata':{'name':'a','namespace':'t1'}" + ofAccount + "}"));
    JsonNode spec =
        admitted("{'spec':{'serviceAccountName':'a','containers':[{'name':'c'}]" + ofPod + "}}");

    assertThat(spec.has("volumes")).isEqualTo(mounted);
    assertThat(spec.at("/containers/0").has("volumeMounts")).isEqualTo(mounted);
    assertThat(spec.path("serviceAccount").asText()).isEqualTo("a");
  }

  @Test
  void containerWithItsOwnMountKeepsItAndInitContainersGetOne() {
    objects.put("serviceaccounts", json("{'metadata':{'name':'default','namespace':'t1'}}"));
    String own = "{'name':'x','mountPath':'/var/run/secrets/kubernetes.io/serviceaccount'}";
    JsonNode spec =
        admitted(
            "{'spec':{'containers':[{'name':'c','volumeMounts':["
                + own
                + "]}],'initContainers':[{'name':'i'}]}}");

    assertThat(spec.at("/containers/0/volumeMounts")).hasSize(1);
    assertThat(spec.at("/initContainers/0/volumeMounts/0/name"))
        .isEqualTo(spec.at("/volumes/0/name"));

    JsonNode without =
        admitted("{'spec':{'containers':[{'name':'c','volumeMounts':[" + own + "]}]}}");
    assertThat(without.has("volumes")).isFalse();
  }

  @Test
  void volumeThatIsThereIsUsedAgain() {
    objects.put("serviceaccounts", json("{'metadata':{'name':'default','namespace':'t1'}}"));
    JsonNode spec =
        admitted(
            "{'spec':{'volumes':[{'name':'kube-api-access-abcde'}],'containers':[{'name':'c'}]}}");

    assertThat(spec.path("volumes")).hasSize(1);
    assertThat(spec.at("/containers/0/volumeMounts/0/name").asText())
        .isEqualTo("kube-api-access-abcde");
  }

  @Test
  void pullSecretsOfTheAccountCountWhenThePodHasNone() {
    objects.put(
        "serviceaccounts",
        json(
            "{'metadata':{'name':'default','namespace':'t1'},"
                + "'imagePullSecrets':[{'name':'s'}]}"));

    assertThat(admitted("{'spec':{}}").at("/imagePullSecrets/0/name").asText()).isEqualTo("s");
    assertThat(admitted("{'spec':{'imagePullSecrets':[{'name':'own'}]}}").path("imagePullSecrets"))
        .hasSize(1);
  }

  @Test
  void mirrorPodIsLeftAloneAndMayReferToNothing() {
    String mirror = "{'metadata':{'annotations':{'kubernetes.io/config.mirror':'x'}},'spec':%s}";
    AdmissionAttributes plain = newPod(mirror.formatted("{}"));
    plugin.mutate(plain);
    plugin.validate(plain);
    assertThat(plain.object()).isEqualTo(json(mirror.formatted("{}")));

    assertThatThrownBy(
            () -> plugin.validate(newPod(mirror.formatted("{'serviceAccountName':'a'}"))))
        .hasMessage(
            "pods \"Unknown\" is forbidden: a mirror pod may not reference service accounts");
    assertThatThrownBy(
            () ->
                plugin.validate(
                    newPod(mirror.formatted("{'volumes':[{'secret':{'secretName':'s'}}]}"))))
        .hasMessage("pods \"Unknown\" is forbidden: a mirror pod may not reference secrets");
  }

  @Test
  void refusalNamesTheAccount() {
    assertThatThrownBy(
            () ->
                plugin.mutate(
                    newPod(
                        "{'metadata':{'generateName':'web-'},"
                            + "'spec':{'serviceAccountName':'robot'}}")))
        .hasMessage(
            "pods \"web-\" is forbidden: error looking up service account t1/robot:"
                + " serviceaccount \"robot\" not found");
  }

  @Test
  void defaultAccountOfANewNamespaceIsWaitedFor() throws Exception {
    CountDownLatch asked = new CountDownLatch(3);
    AtomicInteger reads = new AtomicInteger();
    ServiceAccountAdmission patient =
        new ServiceAccountAdmission(
            new ObjectReader() {
              @Override
              public @Nullable ObjectNode read(String bucket, String namespace, String name) {
                asked.countDown();
                reads.incrementAndGet();
                return objects.read(bucket, namespace, name);
              }

              @Override
              public List<ObjectNode> all(String bucket) {
                return objects.all(bucket);
              }

              @Override
              public List<ObjectNode> in(String bucket, String namespace) {
                return objects.in(bucket, namespace);
              }

              @Override
              public int visit(String bucket, String namespace, Predicate<ObjectNode> visitor) {
                return objects.visit(bucket, namespace, visitor);
              }
            },
            new Random(1),
            Duration.ofSeconds(30));
    AdmissionAttributes write = newPod("{'metadata':{'name':'p'},'spec':{}}");
    Thread creation = Thread.ofVirtual().start(() -> patient.mutate(write));
    asked.await();
    objects.put("serviceaccounts", json("{'metadata':{'name':'default','namespace':'t1'}}"));

    assertThat(creation.join(Duration.ofMinutes(2))).isTrue();
    assertThat(Objects.requireNonNull(write.object()).at("/spec/serviceAccountName").asText())
        .isEqualTo("default");
    assertThat(reads.get()).isGreaterThanOrEqualTo(3);
  }

  private JsonNode admitted(String pod) {
    AdmissionAttributes write = newPod(pod);
    plugin.mutate(write);
    plugin.validate(write);
    return Objects.requireNonNull(write.object()).path("spec");
  }
}
