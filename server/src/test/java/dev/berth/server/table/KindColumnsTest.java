package dev.berth.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.server.json.JsonTrees;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Cells that the golden rows do not reach: unusual states and other versions.
class KindColumnsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = true,
      textBlock =
          """
          |Node|Status|{'status':{'conditions':[{'type':'Ready','status':'Unknown'}]},'spec':{'unschedulable':true}}|NotReady,SchedulingDisabled
          |Node|Status|{}|Unknown
          |Node|Roles|{'metadata':{'labels':{'node-role.kubernetes.io/b':'','kubernetes.io/role':'a'}}}|a,b
          |Node|Internal-IP|{'status':{'addresses':[{'type':'InternalIP','address':'10.0.0.1'}]}}|10.0.0.1
          |Event|Last Seen|{'series':{'lastObservedTime':'2026-01-01T00:09:00.000000Z','count':3}}|60s
          |Event|Count|{'series':{'count':3},'count':9}|3
          |Event|First Seen|{'eventTime':'2026-01-01T00:07:00.000000Z'}|3m
          |Event|Source|{'source':{'component':'kubelet','host':'n1'}}|kubelet, n1
          |Event|Object|{'involvedObject':{'kind':'Node'}}|node
          events.k8s.io|Event|Object|{'regarding':{'kind':'Pod','name':'p'}}|pod/p
          events.k8s.io|Event|Message|{'note':' text '}|text
          |Service|External-IP|{'spec':{'type':'LoadBalancer','externalIPs':['9.9.9.9']},'status':{'loadBalancer':{'ingress':[{'hostname':'b'},{'ip':'1.1.1.1'}]}}}|1.1.1.1,b,9.9.9.9
          |Service|Port(s)|{'spec':{}}|<none>
          |Endpoints|Endpoints|{}|<none>
          |Endpoints|Endpoints|{'subsets':[{'addresses':[{'ip':'1.1.1.1'},{'ip':'fd00::1'}],'ports':[{'port':1},{'port':2}]}]}|1.1.1.1:1,[fd00::1]:1,1.1.1.1:2 + 1 more...
          |Endpoints|Endpoints|{'subsets':[{'notReadyAddresses':[{'ip':'1.1.1.1'}]}]}|``
          apps|ReplicaSet|Selector|{'spec':{'selector':{'matchLabels':{'z':'1'},'matchExpressions':[{'key':'a','operator':'In','values':['y','x']},{'key':'b','operator':'Exists'},{'key':'c','operator':'DoesNotExist'}]}}}|a in (x,y),b,!c,z=1
          apps|ReplicaSet|Selector|{'spec':{'selector':{'matchExpressions':[{'key':'a','operator':'Like'}]}}}|<error>
          apps|ReplicaSet|Selector|{}|<none>
          apps|Deployment|Selector|{'spec':{'selector':{'matchExpressions':[{'key':'a','operator':'Like'}]}}}|<invalid>
          apps|DaemonSet|Node Selector|{'spec':{'template':{'spec':{'nodeSelector':{'b':'2','a':'1'}}}}}|a=1,b=2
          apps|ControllerRevision|Controller|{'metadata':{'ownerReferences':[{'kind':'A','name':'x'},{'apiVersion':'apps/v1','kind':'DaemonSet','name':'ds','controller':true}]}}|daemonset.apps/ds
          apps|ControllerRevision|Controller|{}|<none>
          apps|ControllerRevision|Revision|{'revision':3}|3
          batch|Job|Status|{'status':{'conditions':[{'type':'Complete','status':'True'}]}}|Complete
          batch|Job|Completions|{'spec':{'parallelism':3},'status':{'succeeded':1}}|1/1 of 3
          batch|Job|Duration|{'status':{'startTime':'2026-01-01T00:00:00Z','completionTime':'2026-01-01T00:02:05Z'}}|2m5s
          scheduling.k8s.io|PriorityClass|Value|{'value':1000}|1000
          scheduling.k8s.io|PriorityClass|Global-Default|{'value':1000}|false
          node.k8s.io|RuntimeClass|Handler|{'spec':{'runtimeHandler':'kata'}}|kata
          policy|Eviction|Created At|{'metadata':{'creationTimestamp':null}}|0001-01-01T00:00:00Z
          """)
  void cellsFollowTheirRule(
      String group, String kind, String column, String object, String expected) {
    KindColumns columns = TablePrinters.forKind(group == null ? "" : group, kind);
    ObjectNode tree =
        (ObjectNode)
            JsonTrees.parseTrusted(object.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    List<JsonNode> cells = columns.cells(tree, NOW);
    int index =
        IntStream.range(0, cells.size())
            .filter(i -> columns.definitions().get(i).name().equals(column))
            .findFirst()
            .orElseThrow();
    assertThat(cells.get(index).asText()).isEqualTo(expected);
  }
}
