# Builds what ./berth runs into .berth/; sourced by ./berth only when there is something to build.
#
# .berth/current points to the newest build: lib/ (copies, so that a later Maven run does not pull jars from under a
# running server), classpath (jars in order, `@` for lib), stamp (as old as the start of the build, locked by those that
# run it), server.aot and node.aot.
. "$ROOT/scripts/progress.sh"

build_dist() {
  may_build || return 1
  mkdir -p "$DIST" || return 1
  exec 9>"$DIST/lock"
  if ! flock -n 9; then
    say "another ./berth is building; waiting for it"
    flock 9
  fi
  # The one that held the lock may have built what we need.
  must_build || { exec 9>&- && return 0; }
  local build=$DIST/build-$EPOCHSECONDS-$$ ticker
  say "building Berth (first run, or sources changed; two to three minutes on two cores)"
  tick & ticker=$!
  # shellcheck disable=SC2064 # as they are now
  trap "kill $ticker 2>/dev/null; rm -rf '$build'; say 'interrupted; the next ./berth builds again'; exit 130" INT
  if ! { mkdir -p "$build/lib" && touch "$build/stamp" && compile "$build"; }; then
    kill "$ticker"
    rm -rf "$build"
    return 1
  fi
  say "preparing a fast start"
  train "$build"
  kill "$ticker"
  trap - INT
  ln -sfn "${build##*/}" "$DIST/next" && mv -T "$DIST/next" "$DIST/current"
  remove_old_builds
  exec 9>&-
  say "built"
}

# A tree that another user has built, such as root by `sudo ./berth up`, cannot be built again by this one.
may_build() {
  local foreign built=("$DIST" "$ROOT"/target "$ROOT"/*/target)
  foreign=$(find "${built[@]}" -not -user "$EUID" -not -writable -print -quit 2>/dev/null)
  [[ -z $foreign && ! -e $DIST && ! -w $ROOT ]] && foreign=$ROOT
  [[ -z $foreign ]] && return 0
  echo "Berth cannot be built (first run, or sources changed): $foreign belongs to $(stat -c %U "$foreign"), and" \
    "$(id -un) may not write there. Let that user run ./berth once, or take the tree: sudo chown -R $(id -un) $ROOT" >&2
  return 1
}

# Some steps are silent for a minute.
tick() {
  exec 9>&-
  while sleep 20; do say "  still working"; done
}

# What `kubectl version -o yaml` shows of the sources; nothing outside a clone.
source_commit() { git -C "$ROOT" rev-parse HEAD 2>/dev/null; }

source_state() {
  local changes
  changes=$(git -C "$ROOT" status --porcelain --untracked-files=no 2>/dev/null) || return 0
  [[ -z $changes ]] && echo clean || echo dirty
}

compile() {
  (cd "$ROOT" && maven -Pquick -Dmaven.test.skip=true -pl launcher -am package dependency:build-classpath \
    -Dmdep.outputFile=target/quick/classpath -DincludeScope=runtime "-Dbuild.commit=$(source_commit)" \
    "-Dbuild.tree=$(source_state)") 2>&1 | show_progress "$DIST/build.log"
  if ((PIPESTATUS[0] != 0)); then
    first_errors "$DIST/build.log" >&2
    echo "Berth could not be built; the whole log is in $DIST/build.log" >&2
    return 1
  fi
  local jars jar names=()
  IFS=: read -ra jars <"$ROOT/launcher/target/quick/classpath"
  for jar in "$ROOT"/launcher/target/quick/*.jar "${jars[@]}"; do
    cp "$jar" "$1/lib/" || return 1
    names+=("@/${jar##*/}")
  done
  (IFS=: && echo "${names[*]}") >"$1/classpath"
}

# Two short lives, one with a node and one without, recorded by the JVM. Without the caches everything works, only starts
# are slower.
train() {
  record "$1" server &
  record "$1" node --node
  wait $!
}

record() {
  local build=$1 name=$2 options=() jars
  shift 2
  jars=$(<"$build/classpath")
  java_options
  # What was compiled best in this life is compiled so right away in the next, and the first pods of a node compete with
  # the compiler for the processor: only what is really hot is recorded as such.
  [[ $name == node ]] && options+=(-XX:Tier4InvocationThreshold=25000 -XX:Tier4MinInvocationThreshold=3000
    -XX:Tier4CompileThreshold=75000 -XX:Tier4BackEdgeThreshold=200000)
  "$JDK/bin/java" "${options[@]}" -XX:AOTCacheOutput="$build/$name.aot" -cp "${jars//@/$build/lib}" \
    dev.berth.cli.Main train-cache "$@" >"$DIST/training-$name.log" 2>&1 ||
    { rm -f "$build/$name.aot" && say "  no start-up cache, starts will be slower; see $DIST/training-$name.log"; }
}

# Keeps the newest two, and those that a server still runs from: it holds a lock on the stamp.
remove_old_builds() {
  local builds=("$DIST"/build-*-*) old count
  count=${#builds[@]}
  ((count > 2)) || return 0
  for old in "${builds[@]:0:count-2}"; do
    [[ ! -e $old/stamp ]] || flock -n "$old/stamp" true || continue
    rm -rf "$old"
  done
}

say() { printf '%02d:%02d %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*" >&2; }
