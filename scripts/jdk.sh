# Finds a JDK 25 or newer; sourced by ./berth and ./dev. Starts no process, because ./berth runs it on every start.

# Sets JDK to the first fitting directory: JAVA_HOME, the usual places, then whatever `java` on the PATH belongs to.
find_jdk() {
  # Services and containers often run without a HOME.
  local home java user=${HOME:-/nonexistent}
  for home in "${JAVA_HOME:-}" "${JDK_HOME:-}" \
    /usr/lib/jvm/* /usr/java/* /usr/local/*jdk* /opt/*jdk* /opt/java/* \
    "$user"/.sdkman/candidates/java/* "$user"/.jdks/* "$user"/.local/share/mise/installs/java/* \
    "$user"/.asdf/installs/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    is_jdk_25 "$home" && JDK=$home && return
  done
  if java=$(command -v java) && java=$(readlink -f "$java") && is_jdk_25 "${java%/bin/java}"; then
    JDK=${java%/bin/java}
    return
  fi
  echo "Berth needs a JDK 25 or newer and found none: install one (Debian: apt-get install openjdk-25-jdk," \
    "or temurin-25-jdk from adoptium.net), or set JAVA_HOME to the directory of one${JAVA_HOME:+ (it is $JAVA_HOME)}." >&2
  return 1
}

# A JDK says its version in the file `release`; a JRE has no javac.
is_jdk_25() {
  local line version
  [[ -n $1 && -x $1/bin/javac && -r $1/release ]] || return 1
  while IFS= read -r line; do
    if [[ $line == JAVA_VERSION=* ]]; then
      version=${line#JAVA_VERSION=}
      version=${version//\"/}
      version=${version%%[.+-]*}
      [[ $version =~ ^[0-9]+$ ]] && ((version >= 25))
      return
    fi
  done <"$1/release"
  return 1
}

# Maven on the JDK found above, without the warnings about Maven's own use of Unsafe and native access.
maven() {
  if ! command -v mvn >/dev/null; then
    echo "Berth is built with Maven 3.8 or newer and mvn is not on the PATH: install it (Debian: apt-get install maven)." >&2
    return 127
  fi
  JAVA_HOME=$JDK MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}" \
    mvn --batch-mode "$@"
}
