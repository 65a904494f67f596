package dev.berth.server.http.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestInfoTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "GET,/api/v1/pods,list,'',v1,'',pods,'',''",
        "GET,/api/v1/namespaces/a/pods,list,'',v1,a,pods,'',''",
        "GET,/api/v1/namespaces/a/pods/p,get,'',v1,a,pods,p,''",
        "PUT,/api/v1/namespaces/a/pods/p/status,update,'',v1,a,pods,p,status",
        "POST,/api/v1/namespaces/a/pods/p/binding,create,'',v1,a,pods,p,binding",
        "GET,/api/v1/namespaces/a,get,'',v1,a,namespaces,a,''",
        "PUT,/api/v1/namespaces/a/finalize,update,'',v1,a,namespaces,a,finalize",
        "DELETE,/api/v1/nodes,deletecollection,'',v1,'',nodes,'',''",
        "DELETE,/api/v1/nodes/n,delete,'',v1,'',nodes,n,''",
        "PATCH,/apis/apps/v1/namespaces/a/deployments/d/scale,patch,apps,v1,a,deployments,d,scale",
        "GET,/api/v1/watch/namespaces/a/pods,watch,'',v1,a,pods,'',''",
        "GET,/apis/node.k8s.io/v1beta1/runtimeclasses/x,get,node.k8s.io,v1beta1,'',runtimeclasses,x,''",
        "GET,/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode,get,rbac.authorization.k8s.io,v1,'',clusterroles,system:node,''"
      })
  void pathsNameResources(
      String method,
      String path,
      String verb,
      String group,
      String version,
      String namespace,
      String resource,
      String name,
      String subresource) {
    RequestInfo info = RequestInfo.parse(method, path, false);
    assertThat(info.isResource()).isTrue();
    assertThat(
            new String[] {
              info.verb(),
              info.group(),
              info.version(),
              info.namespace(),
              info.resource(),
              info.name(),
              info.subresource()
            })
        .containsExactly(verb, group, version, namespace, resource, name, subresource);
  }

  @Test
  void aWatchIsOneOfACollection() {
    String pod = "/api/v1/namespaces/a/pods/p";
    assertThat(RequestInfo.parse("GET", pod, true).verb()).isEqualTo("get");
    assertThat(RequestInfo.parse("GET", pod + "/proxy/x", true).verb()).isEqualTo("get");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/api/v1/watch/namespaces/a/pods/p,watch",
    "GET,/api/v1/watch/namespaces/a/pods/p/status,''",
    "POST,/api/v1/watch/namespaces/a/pods,''",
    "DELETE,/api/v1/watch/namespaces/a/pods/p,''"
  })
  void theOldWatchPathIsForWatchesOfObjectsOnly(String method, String path, String verb) {
    assertThat(RequestInfo.parse(method, path, false).verb()).isEqualTo(verb);
  }

  @ParameterizedTest
  @ValueSource(strings = {"LIST", "WATCH", "CREATE", "DELETECOLLECTION", "get", "FOO"})
  void methodsAreNotTakenForVerbs(String method) {
    assertThat(RequestInfo.parse(method, "/api/v1/namespaces/a/pods", false).verb()).isEmpty();
  }

  @Test
  void otherPathsHaveTheMethodAsTheirVerb() {
    for (String path : new String[] {"/", "/api", "/apis/apps", "/apis/apps/v1", "/metrics"}) {
      RequestInfo info = RequestInfo.parse("GET", path, false);
      assertThat(info.isResource()).as(path).isFalse();
      assertThat(info.verb()).isEqualTo("get");
    }
  }

  @Test
  void theWatchParameterMakesAListAWatch() {
    assertThat(RequestInfo.parse("GET", "/api/v1/pods", true).verb()).isEqualTo("watch");
  }
}
