// PID 1 of a guest: mounts, modules, and the loop.
#include <dirent.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "guest.h"

bool progress, draining;
int own_pid_namespace;

static int epoll = -1, log_file = -1;
static struct watch signals;

void log_line(const char *format, ...) {
  char line[512] = "<4>guest: ";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line + 10, sizeof line - 10, format, arguments);
  va_end(arguments);
  if (log_file >= 0 && write(log_file, line, strlen(line)) < 0) return;
}

_Noreturn void stop_machine(void) {
  sync();
  // The machine runs with -no-reboot: QEMU ends.
  reboot(RB_AUTOBOOT);
  _exit(1);
}

void *allocate(size_t size) {
  void *memory = malloc(size ? size : 1);
  if (!memory) {
    log_line("out of memory for %zu bytes", size);
    if (getpid() == 1) stop_machine();
    _exit(1);
  }
  return memory;
}

bool write_file(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t written = write(fd, text, strlen(text));
  int error = errno;
  close(fd);
  errno = error;
  return written == (ssize_t)strlen(text);
}

bool valid_name(const char *name) {
  size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");
  return length > 0 && length <= MAX_NAME && name[length] == 0 && name[0] != '.';
}

int64_t now_nanos(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t monotonic_millis(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void watch_add(struct watch *watch, int fd) {
  *watch = (struct watch){fd, true, true};
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  struct epoll_event event = {EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, {.ptr = watch}};
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

void watch_close(struct watch *watch) {
  if (watch->fd < 0) return;
  // A child may hold the same open file, which would keep it registered.
  epoll_ctl(epoll, EPOLL_CTL_DEL, watch->fd, NULL);
  close(watch->fd);
  *watch = (struct watch){-1, false, false};
}

static void mount_or_log(const char *type, const char *path, unsigned long flags, const char *options) {
  mkdir(path, 0755);
  if (mount(type, path, type, flags, options) != 0) log_line("cannot mount %s at %s: %m", type, path);
}

// Each line of /modules/order names a file of /modules, perhaps followed by parameters.
static void load_modules(void) {
  FILE *order = fopen("/modules/order", "re");
  char line[512], path[300];
  while (order && fgets(line, sizeof line, order)) {
    char *name = strtok(line, " \n"), *parameters = strtok(NULL, "\n");
    if (!name) continue;
    snprintf(path, sizeof path, "/modules/%s", name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || (syscall(SYS_finit_module, fd, parameters ? parameters : "", 0) != 0 && errno != EEXIST)) {
      log_line("cannot load module %s: %m", name);
    }
    if (fd >= 0) close(fd);
    unlink(path);  // its memory is needed
  }
  if (order) fclose(order);
  unlink("/modules/order");
  unlink("/init");
}

// pivot_root does not work from the initramfs itself, so everything moves to a tmpfs on top of it.
static void leave_initramfs(void) {
  mount_or_log("tmpfs", "/root", MS_NOSUID | MS_NODEV, "mode=0755,size=25%");
  for (const char **name = (const char *[]){"dev", "proc", "sys", NULL}; *name; name++) {
    char from[16], to[24];
    snprintf(from, sizeof from, "/%s", *name);
    snprintf(to, sizeof to, "/root/%s", *name);
    mkdir(to, 0755);
    mount(from, to, NULL, MS_MOVE, NULL);
  }
  if (chdir("/root") != 0 || mount(".", "/", NULL, MS_MOVE, NULL) != 0 || chroot(".") != 0 || chdir("/") != 0) {
    log_line("cannot leave the initramfs: %m");
    stop_machine();
  }
}

static void boot(void) {
  umask(0);
  mount_or_log("devtmpfs", "/dev", MS_NOSUID, NULL);
  log_file = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
  mount_or_log("proc", "/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
  mount_or_log("sysfs", "/sys", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
  load_modules();
  leave_initramfs();
  mount_or_log("cgroup2", "/sys/fs/cgroup", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
  mount_or_log("tmpfs", "/run", MS_NOSUID | MS_NODEV, "mode=0755,size=1m");
  mkdir("/run/root", 0755);
  mount_or_log("tmpfs", "/shm", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=1777,size=64m");
  mount_or_log("tmpfs", "/trees", MS_NOSUID | MS_NODEV, "mode=0755,size=50%");
  mkdir("/images", 0755);
  mkdir("/memory", 0755);
  mkdir("/scratch", 0755);
  mount_scratch();
  cgroups_open();
  write_file("/proc/self/oom_score_adj", "-1000");
  own_pid_namespace = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; fd++) dup2(null, fd);
  // For programs; some old ones close each possible descriptor.
  struct rlimit files = {65536, 1048576};
  setrlimit(RLIMIT_NOFILE, &files);
}

static void reap(void) {
  struct signalfd_siginfo info;
  while (read(signals.fd, &info, sizeof info) > 0) continue;
  signals.in = false;
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0; progress = true) {
    for (struct container *container = containers; container; container = container->next) {
      if (container->pid == pid) container_exited(container, status);
    }
    for (struct channel *channel = channels; channel; channel = channel->next) {
      if (channel->pid == pid) exec_exited(channel, status);
    }
  }
}

static void step_all(void) {
  do {
    progress = false;
    draining = false;
    if (signals.in) reap();
    progress |= port_step_in();
    progress |= jobs_step();
    progress |= containers_step();
    progress |= channels_step();
    // Small frames leave together: each write costs a trip to QEMU.
    if (!progress || !port_room()) progress |= port_step_out();
  } while (progress);
}

int main(void) {
  // Large bodies are given back to the kernel: without these calls the limits grow with the first of them.
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  mallopt(M_TRIM_THRESHOLD, 128 << 10);
  boot();
  epoll = epoll_create1(EPOLL_CLOEXEC);
  sigset_t blocked;
  sigfillset(&blocked);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  watch_add(&signals, signalfd(-1, &blocked, SFD_CLOEXEC));
  port_open();
  for (;;) {
    step_all();
    struct epoll_event events[32];
    int count = epoll_wait(epoll, events, 32, draining ? 10 : -1);
    for (int i = 0; i < count; i++) {
      struct watch *watch = events[i].data.ptr;
      // Errors and ends show when they are read or written.
      watch->in = true;
      watch->out = true;
    }
  }
}
