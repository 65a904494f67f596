// Containers from CREATE to REMOVE.
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "guest.h"

struct container *containers;

static int pod_processes = -1;  // pidfd of the first process of the shared namespace

struct container *container_find(const char *id) {
  struct container *container = containers;
  while (container && strcmp(container->id, id) != 0) container = container->next;
  return container;
}

void put_exit(struct buffer *buffer, const struct exit_report *exit) {
  put32(buffer, (uint32_t)exit->code);
  put32(buffer, (uint32_t)exit->signal);
  put8(buffer, exit->out_of_memory);
  put64(buffer, (uint64_t)exit->time);
}

struct exit_report exit_from(int wait_status) {
  struct exit_report report = {.time = now_nanos()};
  if (WIFSIGNALED(wait_status)) report.signal = WTERMSIG(wait_status);
  report.code = report.signal ? 128 + report.signal : WEXITSTATUS(wait_status);
  return report;
}

// The namespace of `shareProcessNamespace`: its first process collects what programs leave behind.
static int open_pod_processes(void) {
  if (pod_processes >= 0) return pod_processes;
  pid_t pid = clone_process(CLONE_NEWPID, -1, &pod_processes);
  if (pid == 0) {
    child_begin(0, 1, 2, -1, -1);
    signal(SIGCHLD, SIG_IGN);
    prctl(PR_SET_NAME, "pause");
    for (;;) pause();
  }
  return pod_processes;
}

// Where the processes of a container are made: a pidfd, -1 for an own namespace, -2 when there is none.
static int process_namespace(const struct spec *spec) {
  if (spec->pids == PIDS_OWN) return -1;
  int pidfd = -2;
  if (spec->pids == PIDS_POD) {
    pidfd = open_pod_processes();
  } else {
    struct container *target = container_find(spec->target);
    if (target && target->state == RUNNING) pidfd = target->pidfd;
  }
  return pidfd < 0 ? -2 : pidfd;
}

// The pipes or sockets of a container and its child.
struct ends {
  int in[2], out[2], err[2], socket[2];
};

static bool open_ends(struct ends *ends, const struct spec *spec) {
  memset(ends, 0xff, sizeof *ends);
  bool fine = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends->socket) == 0;
  if (spec->tty) return fine;
  if (spec->input) fine = fine && pipe2(ends->in, O_CLOEXEC) == 0;
  return fine && pipe2(ends->out, O_CLOEXEC) == 0 && pipe2(ends->err, O_CLOEXEC) == 0;
}

static void close_end(int fd) {
  if (fd >= 0) close(fd);
}

// The loop keeps its ends.
static void keep_ends(struct container *container, const struct ends *ends) {
  watch_add(&container->socket, ends->socket[0]);
  if (ends->in[1] >= 0) watch_add(&container->input, ends->in[1]);
  if (ends->out[0] >= 0) watch_add(&container->rings[0].watch, ends->out[0]);
  if (ends->err[0] >= 0) watch_add(&container->rings[1].watch, ends->err[0]);
  close_end(ends->socket[1]);
  close_end(ends->in[0]);
  close_end(ends->out[1]);
  close_end(ends->err[1]);
}

_Noreturn static void run_child(const struct spec *spec, const struct ends *ends) {
  // Programs that keep no standard input read an empty one.
  child_begin(ends->in[0], ends->out[1], ends->err[1], ends->socket[1], -1);
  struct message message = {.kind = 'R'};
  setup_container(spec, &message.identity);
  child_send(&message, sizeof message, -1);
  char go;
  if (recv(CHILD_SOCKET, &go, 1, 0) != 1) _exit(1);
  run_program(spec, &message.identity, spec->args, spec->tty);
}

// Once each: a disk is given back when no container has it.
static void keep_disk(struct container *container, const char *serial) {
  unsigned at = 0;
  while (at < MAX_DISKS && container->disks[at][0] && strcmp(container->disks[at], serial) != 0) at++;
  if (at < MAX_DISKS) snprintf(container->disks[at], MAX_NAME + 1, "%s", serial);
}

static void keep_disks(struct container *container, const struct spec *spec) {
  keep_disk(container, spec->disk);
  for (uint32_t i = 0; i < spec->mount_count; i++) {
    if (spec->mounts[i].source == SOURCE_IMAGE) keep_disk(container, spec->mounts[i].name);
  }
}

// Null, or why the child could not be started.
static const char *start_child(struct container *container, const struct spec *spec, enum status *status) {
  static char why[256];
  struct ends ends;
  char path[MAX_NAME + 64];
  snprintf(path, sizeof path, "/scratch/containers/%s", spec->id);
  if (mkdir(path, 0700) != 0) {
    snprintf(why, sizeof why, "cannot make %.200s: %m", path);
    return why;
  }
  container->cgroup = cgroup_make(spec->id);
  if (container->cgroup < 0) return "cannot make a control group";
  const char *wrong = cgroup_limit(container->cgroup, &spec->limits);
  if (wrong) return wrong;
  if (!open_ends(&ends, spec)) return "cannot make pipes";
  int processes = process_namespace(spec);
  if (processes >= 0 && setns(processes, CLONE_NEWPID) != 0) processes = -2;
  container->pid = processes == -2 ? -1
                                   : clone_process(processes < 0 ? CLONE_NEWPID : 0, container->cgroup,
                                                   &container->pidfd);
  if (container->pid == 0) run_child(spec, &ends);
  int error = errno;
  setns(own_pid_namespace, CLONE_NEWPID);
  keep_ends(container, &ends);
  if (container->pid > 0) return NULL;
  container->pidfd = -1;
  // A container whose processes are shared may have ended before this request came, or end now (ENOMEM).
  bool no_target = processes == -2 || (processes >= 0 && (error == ENOMEM || error == ESRCH));
  if (no_target) *status = WRONG_STATE;
  if (no_target) snprintf(why, sizeof why, "no container %.100s whose processes can be shared runs", spec->target);
  else snprintf(why, sizeof why, "cannot start a process: %s", strerror(error));
  return why;
}

static void fail_creation(struct container *container, enum status status, const char *why) {
  container->failed = true;
  container->failure.status = (uint8_t)status;
  snprintf(container->failure.text, sizeof container->failure.text, "%s", why);
  container_remove((struct request){0, 0}, container);
}

void container_create(struct request request, const uint8_t *body, size_t length) {
  struct reader reader;
  struct spec spec;
  reader_open(&reader, body, length);
  const char *wrong = get_spec(&reader, &spec);
  if (wrong || container_find(spec.id)) {
    if (wrong) answer_failure(request, INVALID, "%s", wrong);
    else answer_failure(request, EXISTS, "the guest has a container %s", spec.id);
    reader_close(&reader);
    return;
  }
  struct container *container = allocate(sizeof *container);
  memset(container, 0, sizeof *container);
  snprintf(container->id, sizeof container->id, "%s", spec.id);
  container->pidfd = container->cgroup = -1;
  container->socket.fd = container->input.fd = -1;
  container->rings[0].watch.fd = container->rings[1].watch.fd = -1;
  container->tty = spec.tty;
  container->has_input = spec.input;
  container->input_once = spec.input_once;
  container->oom_score = spec.limits.oom_score;
  container->create = request;
  put_raw(&container->body, body, length);
  keep_disks(container, &spec);
  container->next = containers;
  containers = container;
  enum status status = FAILED;
  wrong = start_child(container, &spec, &status);
  if (wrong) fail_creation(container, status, wrong);
  reader_close(&reader);
}

void container_start(struct request request, struct container *container) {
  if (container->state != CREATED) {
    answer_failure(request, WRONG_STATE, "container %s was started before", container->id);
    return;
  }
  container->start = request;
  container->state = STARTING;
  container->started = now_nanos();
  if (send(container->socket.fd, "S", 1, MSG_NOSIGNAL) != 1) container->socket.in = true;
}

// The child ended before the program ran, or the program ended.
void container_exited(struct container *container, int wait_status) {
  container->pid = 0;
  container->exit = exit_from(wait_status);
  container->exit.out_of_memory = cgroup_value(container->cgroup, "memory.events", "oom_kill") > 0;
  // Nothing of it stays behind, also when its processes are not in a namespace of their own.
  cgroup_kill(container->cgroup);
  container->deadline = monotonic_millis() + DRAIN_MILLIS;
  if (container->state == CREATED || container->state == RUNNING) container->state = ENDING;
}

void containers_kill(void) {
  for (struct container *container = containers; container; container = container->next) {
    cgroup_kill(container->cgroup);
  }
}

// Reads one message, perhaps with a descriptor; `over` says that the other side is closed.
bool receive_message(struct watch *socket, struct message *message, int *fd, bool *over) {
  *fd = -1;
  *over = false;
  if (!socket->in || socket->fd < 0) return false;
  struct iovec part = {message, sizeof *message};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } control;
  struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  memset(message, 0, sizeof *message);
  ssize_t length = recvmsg(socket->fd, &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) {
    if (errno == EAGAIN) socket->in = false;
    return false;
  }
  if (length <= 0) {
    *over = true;
    return true;
  }
  struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
  if (rights && rights->cmsg_type == SCM_RIGHTS) memcpy(fd, CMSG_DATA(rights), sizeof *fd);
  if (message->kind == 'E') message->text[sizeof message->text - 1] = 0;
  return true;
}

static bool privileged(const struct container *container) {
  struct reader reader;
  struct spec spec;
  reader_open(&reader, container->body.data, buffer_length(&container->body));
  get_spec(&reader, &spec);
  bool result = spec.privileged;
  reader_close(&reader);
  return result;
}

static void created(struct container *container, const struct message *message) {
  container->identity = message->identity;
  if (container->identity.count > MAX_GROUPS) container->identity.count = MAX_GROUPS;
  const char *wrong = privileged(container) ? NULL : cgroup_protect_devices(container->cgroup);
  if (wrong) {
    fail_creation(container, FAILED, wrong);
    return;
  }
  container->state = CREATED;
  container->created = now_nanos();
  answer_ok(container->create);
}

// The program could not be executed: the container ends as with other runtimes.
static void start_failed(struct container *container, const struct message *message) {
  answer_failure(container->start, message->status, "%s", message->text);
  container->start.id = 0;
  container->started = 0;
  container->failure = *message;
}

static bool listen_to_child(struct container *container) {
  struct message message;
  int fd;
  bool over;
  if (!receive_message(&container->socket, &message, &fd, &over)) return false;
  if (message.kind == 'T' && fd >= 0 && container->input.fd < 0 && container->state == CREATING) {
    watch_add(&container->input, fd);
    container->rings[0].watch.fd = -1;
    return true;
  }
  if (fd >= 0) close(fd);
  if (message.kind == 'R' && container->state == CREATING) {
    created(container, &message);
  } else if (message.kind == 'E' && container->state == CREATING) {
    fail_creation(container, message.status, message.text);
  } else if (message.kind == 'E' && container->state == STARTING) {
    start_failed(container, &message);
  } else if (over) {
    watch_close(&container->socket);
    if (container->state == CREATING) fail_creation(container, FAILED, "the process that made the container was killed");
    // Closed by the execution of the program, or by its end: the failure was answered before.
    else if (container->state == STARTING && container->start.id && container->pid > 0) {
      container->state = RUNNING;
      answer_ok(container->start);
    }
  }
  return true;
}

static void report(struct container *container) {
  struct buffer frame = {0};
  put_string(&frame, container->id);
  put_exit(&frame, &container->exit);
  send_frame(EXITED, 0, frame.data, buffer_length(&frame));
  buffer_clear(&frame);
  container->reported = true;
}

// Ends when all processes are gone and their output was read. A descriptor that another container holds does not
// keep it from ending.
static bool end_step(struct container *container) {
  if (container->ended) return false;
  bool late = monotonic_millis() > container->deadline;
  if (!late && !cgroup_empty(container->cgroup)) {
    draining = true;
    return false;
  }
  if (!output_drained(container, late)) {
    draining = true;
    return false;
  }
  container->state = ENDED;
  container->ended = true;
  channels_close(container);
  watch_close(&container->input);
  return true;
}

static bool container_step(struct container *container) {
  if (container->state == REMOVING) return container_removal_step(container);
  bool moved = listen_to_child(container);
  if (container->state == REMOVING) return true;
  moved |= output_step(container);
  if (container->state == STARTING && container->pid == 0 && container->socket.fd < 0) {
    // Ended at once: the start worked unless the child said otherwise.
    if (container->start.id) answer_ok(container->start);
    else container->exit.code = 128;
    container->start.id = 0;
    container->state = ENDING;
    moved = true;
  }
  if (container->state == ENDING) moved |= end_step(container);
  bool sent = container->rings[0].sent == container->rings[0].end && container->rings[1].sent == container->rings[1].end;
  if (container->ended && !container->reported && sent && port_connected()) {
    report(container);
    moved = true;
  }
  return moved;
}

bool containers_step(void) {
  bool moved = false;
  for (struct container *container = containers; container; container = container->next) {
    moved |= container_step(container);
  }
  return moved;
}
