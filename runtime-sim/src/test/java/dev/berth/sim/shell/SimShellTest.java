package dev.berth.sim.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.sim.Await;
import dev.berth.sim.ManualTimeline;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SimShellTest {
  private final ManualTimeline time = new ManualTimeline();
  private final ProcessInbox inbox = new ProcessInbox();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FileTree files = new FileTree(List.of());

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '^',
      value = {
        "echo hello world ~ hello world",
        "echo 'a  b' \"c  d\" e\\ f ~ a  b c  d e f",
        "x=5; echo $x ${x}y \"$x z \\$x \\n\" '$x' ~ 5 5y 5 z $x \\n $x",
        "x=5 echo a$x'b'\"c\" ~ a5bc",
        "i=''; while test -z $i; do i=1; echo round; done; echo $i ~ round/1",
        "true && echo a || echo b ~ a",
        "false && echo a || echo b ~ b",
        "touch /tmp/x; test -f /tmp/x && [ -d /tmp ] && echo there ~ there",
        "mkdir -p /a; [ -e /a ] || echo empty ~ empty",
        "echo one > /f; echo two >> /f; cat /f ~ one/two",
        "echo lost 2>/dev/null >/dev/null; echo kept 2>/dev/null ~ kept",
        "hostname ~ box",
        "echo $GREETING $? ~ hi 0",
        "printf 'a-b\\n' ~ a-b",
        "echo a#b # comment ~ a#b",
        "false; echo $? ~ 1",
      })
  void scriptsPrintWhatAShellWouldPrint(String script, String expected) {
    int status = run(script);

    assertThat(out.toString(StandardCharsets.UTF_8).strip()).isEqualTo(expected.replace('/', '\n'));
    assertThat(err).hasToString("");
    assertThat(status).isZero();
  }

  @Test
  void linesAreJoinedOrFollowEachOther() {
    assertThat(run("echo one\\\n two; # comment\n\necho three\n")).isZero();
    assertThat(out).hasToString("one two\nthree\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '^',
      value = {
        "exit 3 ~ 3",
        "false ~ 1",
        "true ~ 0",
        "cat /none ~ 1",
        "nginx ~ 127",
        "exit 300 ~ 44",
        "[ 1 -lt 2 ] ~ 2",
      })
  void scriptsEndWithTheStatusOfAShell(String script, int status) {
    assertThat(run(script)).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '^',
      value = {
        "echo 'open ~ 'open",
        "a | b ~ | b",
        "echo $(date) ~ $(date)",
        "echo \"$(date)\" ~ \"$(date)\"",
        "sleep 1 & wait ~ & wait",
        "cat < /f ~ < /f",
        "echo ${x:-y} ~ ${x:-y}",
        "if true; then echo a; fi ~ if",
        "for n in 1 2; do echo $n; done ~ for",
        "! true ~ !",
        "echo a; done ~ done",
        "echo a > && echo b ~ >",
        "while true; do echo a ~ the end of the script",
      })
  void whatIsNotSimulatedIsRefusedByName(String script, String part) {
    assertThat(run("echo before; " + script)).isEqualTo(2);
    assertThat(out).hasToString("");
    String named = part.startsWith("the end") ? part : "'" + part + "'";
    assertThat(err)
        .hasToString(
            "sh: the simulated shell does not understand "
                + named
                + "; docs/simulator.md says what it understands\n");
  }

  @Test
  void aProcessThatIsNotUnderstoodSaysSoAndRunsUntilItIsStopped() {
    CompletableFuture<Integer> ended =
        CompletableFuture.supplyAsync(
            () -> SimShell.runMain(ShellProgram.of(List.of("sh", "-c", "a | b")), around(false)),
            Executors.newVirtualThreadPerTaskExecutor());
    Await.until("it says so", () -> err.toString(StandardCharsets.UTF_8).contains("'| b'"));

    inbox.signal(ProcessInbox.TERMINATE);

    assertThat(ended.join()).isEqualTo(143);
  }

  @Test
  void errorsGoToTheErrorStream() {
    run("echo good; echo bad >&2; nginx");

    assertThat(out).hasToString("good\n");
    assertThat(err).hasToString("bad\nsh: nginx: not found\n");
  }

  @Test
  void aSleepTakesItsTimeAndASignalEndsIt() {
    CompletableFuture<Integer> slept = start("sleep 10; echo done");
    Await.until("it sleeps", () -> time.waiting() == 1);

    time.advance(Duration.ofSeconds(10));

    assertThat(slept.join()).isZero();
    assertThat(out).hasToString("done\n");
    CompletableFuture<Integer> killed = start("sleep 10");
    inbox.signal(ProcessInbox.TERMINATE);
    assertThat(killed.join()).isEqualTo(143);
  }

  @Test
  void aTrapDecidesWhatASignalDoes() {
    CompletableFuture<Integer> ended =
        start("trap 'echo bye; exit 7' TERM; while true; do sleep 1; done");
    Await.until("it sleeps", () -> time.waiting() == 1);

    inbox.signal(ProcessInbox.TERMINATE);

    assertThat(ended.join()).isEqualTo(7);
    assertThat(out).hasToString("bye\n");
  }

  @Test
  void anEmptyTrapIgnoresTheSignalButNotAKill() {
    CompletableFuture<Integer> ended = start("trap '' TERM; sleep 100; echo more; sleep 100");
    Await.until("it sleeps", () -> time.waiting() == 1);
    inbox.signal(ProcessInbox.TERMINATE);
    Await.until("it goes on", () -> out.toString(StandardCharsets.UTF_8).equals("more\n"));

    inbox.signal(ProcessInbox.KILL);

    assertThat(ended.join()).isEqualTo(137);
  }

  @Test
  void theProcessOfAContainerThatIsNotKnownRunsUntilItIsStopped() {
    CompletableFuture<Integer> ended =
        CompletableFuture.supplyAsync(
            () ->
                SimShell.runMain(
                    ShellProgram.of(List.of("sh", "-c", "nginx -g 'off;'")), around(false)),
            Executors.newVirtualThreadPerTaskExecutor());

    inbox.signal(ProcessInbox.TERMINATE);

    assertThat(ended.join()).isEqualTo(143);
  }

  @Test
  void aShellWithoutAScriptReadsItsInput() {
    inbox.feed("echo one; x=2\necho $x\n(\nexit 4\n".getBytes(StandardCharsets.UTF_8));

    assertThat(SimShell.runBeside(ShellProgram.of(List.of("/bin/sh")), around(false))).isEqualTo(4);
    assertThat(out).hasToString("one\n2\n");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("sh: the simulated shell does not understand '('");
  }

  @Test
  void aTerminalShowsAPromptAndWhatIsTyped() {
    inbox.feed("echo hi\r".getBytes(StandardCharsets.UTF_8));
    inbox.endInput();

    SimShell.runBeside(ShellProgram.of(List.of("sh")), around(true));

    assertThat(out).hasToString("/ # echo hi\r\nhi\n/ # ");
  }

  @Test
  void filesBelowAMountAreTheHosts(@TempDir Path host) throws Exception {
    Files.writeString(host.resolve("key"), "value");
    files =
        new FileTree(
            List.of(
                new FileTree.Mount("/etc/config", host, true),
                new FileTree.Mount("/data", host, false)));

    assertThat(run("cat /etc/config/key; echo new > /data/made; test -d /data")).isZero();
    assertThat(out).hasToString("value");
    assertThat(host.resolve("made")).hasContent("new\n");
    assertThat(run("echo x > /etc/config/made")).isEqualTo(1);
    assertThat(run("cat /etc/config/../../../../etc/passwd")).isEqualTo(1);
  }

  @Test
  void archivesGoOutAndComeBackIn() {
    assertThat(run("echo one > /a/x; echo two > /a/b/y; tar cf - /a/x /a/b/y")).isZero();
    byte[] archive = out.toByteArray();
    out.reset();
    inbox.feed(Arrays.copyOf(archive, 700));
    inbox.feed(Arrays.copyOfRange(archive, 700, archive.length));
    inbox.endInput();

    assertThat(run("tar -xmf - -C /copy && cat /copy/a/x /copy/a/b/y")).isZero();
    assertThat(out).hasToString("one\ntwo\n");
    assertThat(run("tar cf - /none")).isEqualTo(1);
    assertThat(err).hasToString("tar: /none: No such file\n");
  }

  @Test
  void windowsCommandsWorkToo() {
    assertThat(runCommand("cmd", "/c", "echo hi & exit 3")).isEqualTo(3);
    assertThat(runCommand("powershell.exe", "-Command", "Write-Output hello; exit 5")).isEqualTo(5);
    assertThat(out).hasToString("hi\nhello\n");
  }

  private int run(String script) {
    return runCommand("sh", "-c", script);
  }

  private int runCommand(String... command) {
    return SimShell.runBeside(ShellProgram.of(List.of(command)), around(false));
  }

  private CompletableFuture<Integer> start(String script) {
    return CompletableFuture.supplyAsync(
        () -> run(script), Executors.newVirtualThreadPerTaskExecutor());
  }

  private ProcessContext around(boolean terminal) {
    ProcessOutput output =
        (stream, bytes) -> (stream == ProcessOutput.STDERR ? err : out).writeBytes(bytes);
    return new ProcessContext(
        time, "box", Map.of("GREETING", "hi"), files, inbox, output, terminal);
  }
}
