package dev.berth.vm.guest;

import dev.berth.vm.guest.model.GuestExit;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/// What the owner of a program of `exec` sees of it.
final class RunningProcess implements GuestProcess {
  private final AgentClient client;
  private final ProcessChannel channel;
  private final boolean stdin;
  private final Duration limit;

  RunningProcess(AgentClient client, ProcessChannel channel, boolean stdin, Duration limit) {
    this.client = client;
    this.channel = channel;
    this.stdin = stdin;
    this.limit = limit;
  }

  @Override
  public OutputStream input() {
    return stdin ? channel.output() : OutputStream.nullOutputStream();
  }

  @Override
  public void resize(int columns, int rows) {
    client.resizeExec(channel.id(), columns, rows);
  }

  @Override
  public void signal(int number) {
    client.signalExec(channel.id(), number);
  }

  @Override
  public Optional<GuestExit> exit(Duration wait) throws InterruptedException {
    return channel.awaitExit(wait.toNanos());
  }

  @Override
  public void close() {
    channel.kill("the program was closed", null);
    try {
      channel.awaitQuiet(limit.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
