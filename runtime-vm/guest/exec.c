// Further programs in running containers.
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "guest.h"

enum { TERMINAL_DRAIN_MILLIS = 100 };

_Noreturn static void run_child(const struct container *container, const struct spec *spec, char **args, bool tty) {
  write_oom_score(container->oom_score);
  // Programs of the container could look into this process before it has become theirs.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (setns(CHILD_TARGET, CLONE_NEWNS | CLONE_NEWCGROUP) != 0) child_fail(WRONG_STATE, "the container ended: %m");
  if (tty) child_terminal(&container->identity, false);
  else setsid();
  run_program(spec, &container->identity, args, tty);
}

static void close_all(int *ends) {
  for (int i = 0; i < 8; i++) {
    if (ends[i] >= 0) close(ends[i]);
  }
}

// ends: both sides of input, output, errors, socket; the first side is for reading.
static bool open_ends(int *ends, bool tty, bool input) {
  memset(ends, 0xff, 8 * sizeof *ends);
  bool fine = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends + 6) == 0;
  if (!tty && input) fine = fine && pipe2(ends, O_CLOEXEC) == 0;
  if (!tty) fine = fine && pipe2(ends + 2, O_CLOEXEC) == 0 && pipe2(ends + 4, O_CLOEXEC) == 0;
  return fine;
}

static pid_t start_child(struct container *container, char **args, bool tty, const int *ends) {
  struct reader reader;
  struct spec spec;
  reader_open(&reader, container->body.data, buffer_length(&container->body));
  get_spec(&reader, &spec);
  pid_t pid = -1;
  if (setns(container->pidfd, CLONE_NEWPID) == 0) pid = clone_process(0, container->cgroup, NULL);
  if (pid == 0) {
    child_begin(ends[0], ends[3], ends[5], ends[7], container->pidfd);
    run_child(container, &spec, args, tty);
  }
  int error = errno;
  setns(own_pid_namespace, CLONE_NEWPID);
  reader_close(&reader);
  errno = error;
  return pid;
}

static void keep_end(struct watch *watch, int *end) {
  if (*end >= 0) watch_add(watch, *end);
  *end = -1;
}

void exec_start(struct request request, struct container *container, char **args, bool tty, bool input) {
  int ends[8];
  if (container->state != RUNNING) {
    answer_failure(request, WRONG_STATE, "container %s does not run", container->id);
    return;
  }
  pid_t pid = open_ends(ends, tty, input) ? start_child(container, args, tty, ends) : -1;
  if (pid < 0) {
    // ENOMEM: the first process of the namespace ends.
    bool ends_now = container->pid <= 0 || errno == ENOMEM || errno == ESRCH;
    answer_failure(request, ends_now ? WRONG_STATE : FAILED, "cannot start a process in container %s: %s",
                   container->id, ends_now ? "it ends" : strerror(errno));
    close_all(ends);
    return;
  }
  struct channel *channel = channel_make(request, CHANNEL_EXEC);
  channel->container = container;
  channel->pid = pid;
  channel->tty = tty;
  keep_end(&channel->in, &ends[1]);
  keep_end(&channel->out[0], &ends[2]);
  keep_end(&channel->out[1], &ends[4]);
  keep_end(&channel->socket, &ends[6]);
  close_all(ends);
}

void exec_exited(struct channel *channel, int wait_status) {
  channel->pid = 0;
  channel->exited = true;
  channel->exit = exit_from(wait_status);
  struct container *container = channel->container;
  if (container) channel->exit.out_of_memory = cgroup_value(container->cgroup, "memory.events", "oom_kill") > 0;
  channel->deadline = monotonic_millis() + TERMINAL_DRAIN_MILLIS;
}

static bool listen_to_child(struct channel *channel) {
  struct message message;
  int fd;
  bool over;
  if (!receive_message(&channel->socket, &message, &fd, &over)) return false;
  if (message.kind == 'T' && fd >= 0 && channel->tty && channel->in.fd < 0) {
    watch_add(&channel->in, fd);
    return true;
  }
  if (fd >= 0) close(fd);
  if (message.kind == 'E') {
    answer_failure(channel->request, message.status, "%s", message.text);
    channel->request.id = 0;
    channel->over = true;
  } else if (over) {
    watch_close(&channel->socket);
    channel->answered = true;
    answer_ok(channel->request);
  }
  return true;
}

// Whether everything that the program wrote was read. Programs that it left behind may still have the pipes.
static bool drained(struct channel *channel) {
  struct watch *watches[] = {channel->tty ? &channel->in : &channel->out[0], &channel->out[1]};
  for (int i = 0; i < 2; i++) {
    int unread = 0;
    if (watches[i]->fd < 0 || ioctl(watches[i]->fd, FIONREAD, &unread) != 0 || unread == 0) continue;
    watches[i]->in = true;
    if (channel->credit > 0 && port_room()) progress = true;
    return false;
  }
  if (channel->tty && monotonic_millis() < channel->deadline) {
    draining = true;
    return false;
  }
  return true;
}

bool exec_step(struct channel *channel) {
  bool moved = listen_to_child(channel);
  if (channel->over || !channel->exited || !channel->answered || !drained(channel)) return moved;
  struct buffer frame = {0};
  put_exit(&frame, &channel->exit);
  send_frame(EXIT, channel->id, frame.data, buffer_length(&frame));
  buffer_clear(&frame);
  channel->over = true;
  return true;
}
