# How much memory the groups of this process may have.

# Sets `limit` to the smallest limit in bytes of the groups that FILE names (as /proc/self/cgroup does) and of those
# above them; empty when there is none. Both versions count: hybrid hierarchies limit memory by the first.
# Usage: memory_limit DIRECTORY FILE, where DIRECTORY is that of the hierarchies. No process is started.
memory_limit() {
  local controllers path group root name roots bytes
  limit=
  while IFS=: read -r _ controllers path; do
    case ,$controllers, in
      ,,) roots=("$1" "$1/unified") name=memory.max ;;
      *,memory,*) roots=("$1/memory" "$1/$controllers") name=memory.limit_in_bytes ;;
      *) continue ;;
    esac
    for root in "${roots[@]}"; do
      group=${path%/}
      # Inside a container a group may have the host's path, and be shown as the uppermost one.
      while read_limit "$root$group/$name" && [[ -n $group ]]; do
        group=${group%/*}
      done
    done
  done 2>/dev/null <"$2"
  return 0
}

read_limit() {
  bytes=
  [[ -r $1 ]] && read -r bytes <"$1"
  [[ $bytes =~ ^[0-9]{1,19}$ && (-z $limit || $bytes -lt $limit) ]] && limit=$bytes
  return 0
}
