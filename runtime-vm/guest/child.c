// What children of the loop share: how they start, and what they say to the loop.
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include "guest.h"

// As fork, in a control group from the first instruction on (if not -1).
pid_t clone_process(uint64_t flags, int cgroup, int *pidfd) {
  struct clone_args arguments = {
      .flags = flags | (pidfd ? CLONE_PIDFD : 0) | (cgroup >= 0 ? CLONE_INTO_CGROUP : 0),
      .pidfd = (uint64_t)(uintptr_t)pidfd,
      .exit_signal = SIGCHLD,
      .cgroup = cgroup >= 0 ? (uint64_t)cgroup : 0,
  };
  return (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
}

// Keeps the given descriptors as 0 to 4 and closes all others: the ends of other programs' pipes among them.
void child_begin(int in, int out, int err, int socket, int other) {
  int kept[5] = {in, out, err, socket, other};
  // First out of the way of each other.
  for (int i = 0; i < 5; i++) kept[i] = fcntl(kept[i] >= 0 ? kept[i] : 0, F_DUPFD_CLOEXEC, 16);
  for (int i = 0; i < 5; i++) dup3(kept[i], i, i > 2 ? O_CLOEXEC : 0);
  close_range(5, ~0U, 0);
  struct sigaction standard = {.sa_handler = SIG_DFL};
  for (int number = 1; number < 65; number++) sigaction(number, &standard, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

void child_send(const struct message *message, size_t length, int fd) {
  struct iovec part = {(void *)message, length};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } control = {0};
  struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
  if (fd >= 0) {
    header.msg_control = control.bytes;
    header.msg_controllen = sizeof control.bytes;
    struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &fd, sizeof fd);
  }
  if (sendmsg(CHILD_SOCKET, &header, MSG_NOSIGNAL) < 0) _exit(1);
}

_Noreturn void child_fail(enum status status, const char *format, ...) {
  struct message message = {.kind = 'E', .status = (uint8_t)status};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message.text, sizeof message.text, format, arguments);
  va_end(arguments);
  child_send(&message, offsetof(struct message, text) + strlen(message.text) + 1, -1);
  _exit(1);
}

void write_oom_score(int score) {
  char text[16];
  snprintf(text, sizeof text, "%d", score);
  write_file("/proc/self/oom_score_adj", text);
}

// A terminal of this mount namespace; its other side goes to the loop.
void child_terminal(const struct identity *identity, bool console) {
  int master = open("/dev/pts/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat info;
  struct statfs system;
  // Programs of the container may have changed /dev.
  if (master < 0 || fstat(master, &info) != 0 || fstatfs(master, &system) != 0 || system.f_type != 0x1cd1 ||
      !S_ISCHR(info.st_mode)) {
    child_fail(FAILED, "the container has no /dev/pts/ptmx for a terminal");
  }
  int unlocked = 0;
  ioctl(master, TIOCSPTLCK, &unlocked);
  int terminal = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) child_fail(FAILED, "cannot open a terminal: %m");
  if (fchown(terminal, identity->uid, (gid_t)-1) != 0) child_fail(FAILED, "cannot give the terminal away: %m");
  if (console) {
    int tree = open_tree(terminal, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
    close(open("/dev/console", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
    if (tree >= 0) move_mount(tree, "", AT_FDCWD, "/dev/console", MOVE_MOUNT_F_EMPTY_PATH);
    if (tree >= 0) close(tree);
  }
  struct message message = {.kind = 'T'};
  child_send(&message, offsetof(struct message, text), master);
  for (int fd = 0; fd < 3; fd++) dup2(terminal, fd);
  close(terminal);
  close(master);
  setsid();
  ioctl(0, TIOCSCTTY, 0);
}

// With its parents.
void make_directory(const char *path) {
  char prefix[4096];
  size_t length = strlen(path);
  if (length >= sizeof prefix) child_fail(INVALID, "the working directory has more than 4095 bytes");
  for (size_t i = 1; i <= length; i++) {
    if (path[i] != '/' && path[i] != 0) continue;
    memcpy(prefix, path, i);
    prefix[i] = 0;
    mkdir(prefix, 0755);
  }
}
