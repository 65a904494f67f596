// Control groups: /sys/fs/cgroup/pod/ID for each container.
#include <dirent.h>
#include <linux/bpf.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "guest.h"

static int pod = -1;

void cgroups_open(void) {
  static const char controllers[] = "+cpu +memory +pids";
  mkdir("/sys/fs/cgroup/pod", 0755);
  if (!write_file("/sys/fs/cgroup/cgroup.subtree_control", controllers) ||
      !write_file("/sys/fs/cgroup/pod/cgroup.subtree_control", controllers)) {
    log_line("cannot use the controllers %s: %m", controllers);
  }
  write_file("/sys/fs/cgroup/cgroup.subtree_control", "+io");
  write_file("/sys/fs/cgroup/pod/cgroup.subtree_control", "+io");
  pod = open("/sys/fs/cgroup/pod", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int cgroup_make(const char *id) {
  if (mkdirat(pod, id, 0755) != 0) return -1;
  return openat(pod, id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static bool write_value(int cgroup, const char *file, const char *value) {
  int fd = openat(cgroup, file, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return false;
  ssize_t written = write(fd, value, strlen(value));
  int error = errno;
  close(fd);
  errno = error;
  return written >= 0;
}

static void number_or_max(char *text, size_t size, int64_t value) {
  if (value > 0) snprintf(text, size, "%lld", (long long)value);
  else snprintf(text, size, "max");
}

const char *cgroup_limit(int cgroup, const struct limits_spec *limits) {
  static char why[600];
  char cpu[64], weight[32], memory[32], pids[32], quota[32];
  number_or_max(quota, sizeof quota, limits->cpu_quota);
  snprintf(cpu, sizeof cpu, "%s %lld", quota, limits->cpu_period > 0 ? (long long)limits->cpu_period : 100000);
  snprintf(weight, sizeof weight, "%llu", limits->cpu_weight ? (unsigned long long)limits->cpu_weight : 100);
  number_or_max(memory, sizeof memory, limits->memory);
  number_or_max(pids, sizeof pids, limits->pids);
  const struct pair files[] = {
      {"cpu.max", cpu}, {"cpu.weight", weight}, {"memory.max", memory}, {"pids.max", pids}};
  size_t standard = sizeof files / sizeof *files;
  for (size_t i = 0; i < standard + limits->unified_count; i++) {
    const struct pair *pair = i < standard ? &files[i] : &limits->unified[i - standard];
    if (write_value(cgroup, pair->key, pair->value)) continue;
    snprintf(why, sizeof why, "cannot write %.200s to %.200s of the control group: %m", pair->value, pair->key);
    return why;
  }
  return NULL;
}

void cgroup_kill(int cgroup) {
  if (cgroup >= 0) write_value(cgroup, "cgroup.kill", "1");
}

// The value of a line "KEY VALUE", or of the file when `key` is null; 0 when there is none.
uint64_t cgroup_value(int cgroup, const char *file, const char *key) {
  char text[4096];
  int fd = openat(cgroup, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return 0;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  text[length < 0 ? 0 : length] = 0;
  if (!key) return strtoull(text, NULL, 10);
  for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    size_t size = strlen(key);
    if (strncmp(line, key, size) == 0 && line[size] == ' ') return strtoull(line + size, NULL, 10);
  }
  return 0;
}

bool cgroup_empty(int cgroup) { return cgroup < 0 || cgroup_value(cgroup, "cgroup.events", "populated") == 0; }

// A privileged program may have made groups below.
static void remove_below(int parent, const char *name, int depth) {
  int directory = depth < 32 ? openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) : -1;
  DIR *entries = directory >= 0 ? fdopendir(directory) : NULL;
  for (struct dirent *entry; entries && (entry = readdir(entries));) {
    if (entry->d_type == DT_DIR && entry->d_name[0] != '.') remove_below(directory, entry->d_name, depth + 1);
  }
  if (entries) closedir(entries);
  if (unlinkat(parent, name, AT_REMOVEDIR) != 0 && errno != ENOENT) log_line("cannot remove control group %s: %m", name);
}

void cgroup_remove(const char *id) { remove_below(pod, id, 0); }

#define INSTRUCTION(c, d, s, o, i) ((struct bpf_insn){.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)})
#define LOAD(register, field) \
  INSTRUCTION(BPF_LDX | BPF_MEM | BPF_W, register, BPF_REG_1, offsetof(struct bpf_cgroup_dev_ctx, field), 0)
#define SKIP_UNLESS(register, value, count) INSTRUCTION(BPF_JMP | BPF_JNE | BPF_K, register, 0, count, value)
#define SKIP_IF(register, value, count) INSTRUCTION(BPF_JMP | BPF_JEQ | BPF_K, register, 0, count, value)
#define RESULT(register, value) INSTRUCTION(BPF_ALU64 | BPF_MOV | BPF_K, register, 0, 0, value)
#define LEAVE INSTRUCTION(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

// Programs may make device nodes, and use only those that every container has: not the disks of the guest.
const char *cgroup_protect_devices(int cgroup) {
  const struct bpf_insn program[] = {
      LOAD(BPF_REG_2, access_type), LOAD(BPF_REG_4, major), LOAD(BPF_REG_5, minor),
      INSTRUCTION(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_3, BPF_REG_2, 0, 0),
      INSTRUCTION(BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_3, 0, 0, 16),
      INSTRUCTION(BPF_ALU64 | BPF_AND | BPF_K, BPF_REG_2, 0, 0, 0xffff),
      RESULT(BPF_REG_0, 1),
      SKIP_UNLESS(BPF_REG_3, BPF_DEVCG_ACC_MKNOD, 1), LEAVE,
      SKIP_UNLESS(BPF_REG_2, BPF_DEVCG_DEV_CHAR, 11),
      // null, zero, full, random, urandom
      SKIP_UNLESS(BPF_REG_4, 1, 6),
      SKIP_IF(BPF_REG_5, 3, 10), SKIP_IF(BPF_REG_5, 5, 9), SKIP_IF(BPF_REG_5, 7, 8), SKIP_IF(BPF_REG_5, 8, 7),
      SKIP_IF(BPF_REG_5, 9, 6),
      INSTRUCTION(BPF_JMP | BPF_JA, 0, 0, 4, 0),
      // tty and ptmx
      SKIP_UNLESS(BPF_REG_4, 5, 2),
      SKIP_IF(BPF_REG_5, 0, 3), SKIP_IF(BPF_REG_5, 2, 2),
      // terminals
      SKIP_IF(BPF_REG_4, 136, 1),
      RESULT(BPF_REG_0, 0),
      LEAVE,
  };
  union bpf_attr load = {0}, attach = {0};
  load.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE;
  load.insns = (uint64_t)(uintptr_t)program;
  load.insn_cnt = sizeof program / sizeof *program;
  load.license = (uint64_t)(uintptr_t) "";
  int loaded = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &load, sizeof load);
  if (loaded < 0) return "cannot load the rules for devices";
  attach.target_fd = (uint32_t)cgroup;
  attach.attach_bpf_fd = (uint32_t)loaded;
  attach.attach_type = BPF_CGROUP_DEVICE;
  bool fine = syscall(SYS_bpf, BPF_PROG_ATTACH, &attach, sizeof attach) == 0;
  close(loaded);
  return fine ? NULL : "cannot attach the rules for devices";
}
