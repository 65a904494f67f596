# Turns Maven's log into progress lines and test reports into totals; sourced by ./dev.

# Reads Maven's output: keeps all of it in the log file $1, shows modules, finished test classes and errors.
show_progress() {
  local log=$1 line downloads=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    case $line in
      "[INFO] Building "*"["*"/"*"]"*) [[ $line =~ Building\ (.*)\ 0\..*(\[[0-9/]+\]) ]] && say "${BASH_REMATCH[2]} ${BASH_REMATCH[1]#berth-}" ;;
      *"Tests run: "*" in "*) show_class "$line" ;;
      "size warning: "*) say "  $line" ;;
      *"Downloaded from "*) ((++downloads % 100 == 0)) && say "  $downloads files downloaded" ;;
      "[ERROR] Failed to execute goal"* | "[ERROR] error: "* | "[ERROR]     src/"*.java | \
        "[ERROR] "*pom.xml* | "[ERROR] /"*.java:* | "[WARNING] /"*.java:*) say "  ${line#\[*\] }" ;;
    esac
  done 3>"$log"
  return 0
}

# The first things that went wrong in a log of Maven, each once and without headings, for the reader who will not open it.
first_errors() {
  awk '
    { gsub(/\033\[[0-9;]*m/, "") } # colours of a terminal
    /^\[ERROR\] To see the full stack trace/ { exit } # what follows is advice
    /^\[ERROR\] [^ ]/ && !/COMPILATION ERROR/ && !/^\[ERROR\] -> / && !seen[$0]++ {
      print substr($0, 9, 300)
      if (++shown == 5) exit
    }' "$1"
}

# [INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in dev.berth.store.StoreTest
show_class() {
  [[ $1 =~ run:\ ([0-9]+),.*Skipped:\ ([0-9]+),\ Time\ elapsed:\ ([0-9.,]+\ s).*\ in\ (.*)$ ]] || return 0
  local verdict=ok skipped=""
  [[ $1 == *"<<<"* ]] && verdict=FAILED
  ((BASH_REMATCH[2] > 0)) && skipped=", ${BASH_REMATCH[2]} skipped"
  say "  $verdict ${BASH_REMATCH[4]##*.} (${BASH_REMATCH[1]} tests$skipped, ${BASH_REMATCH[3]})"
}

report_files() { find "$ROOT"/*/target/surefire-reports "$ROOT"/*/target/failsafe-reports -name 'TEST-*.xml' 2>/dev/null; }

remove_reports() { rm -rf "$ROOT"/*/target/surefire-reports "$ROOT"/*/target/failsafe-reports; }

# Prints "passed failed skipped" over all reports of this run.
count_tests() {
  report_files | xargs -r -d '\n' awk '
    FNR == 1 { suite = 1 }
    suite && !/<\?xml/ {
      if (match($0, / tests="[0-9]+"/))    tests   += substr($0, RSTART + 8,  RLENGTH - 9)
      if (match($0, / errors="[0-9]+"/))   failed  += substr($0, RSTART + 9,  RLENGTH - 10)
      if (match($0, / failures="[0-9]+"/)) failed  += substr($0, RSTART + 11, RLENGTH - 12)
      if (match($0, / skipped="[0-9]+"/))  skipped += substr($0, RSTART + 10, RLENGTH - 11)
      if (/>/) suite = 0
    }
    END { print tests - failed - skipped + 0, failed + 0, skipped + 0 }'
}

# Prints one line per failed test: class, method, the start of its message. Output that a test printed is passed over.
failed_tests() {
  report_files | xargs -r -d '\n' awk '
    FNR == 1 { printed = 0 }
    !printed && /<testcase / {
      match($0, / name="[^"]*"/);      name = substr($0, RSTART + 7, RLENGTH - 8)
      match($0, / classname="[^"]*"/); type = substr($0, RSTART + 12, RLENGTH - 13)
    }
    !printed && /<(failure|error)[ >]/ {
      message = ""
      if (match($0, / message="[^"]*/)) message = substr($0, RSTART + 10, RLENGTH - 10)
      gsub(/&#10;/, " ", message); gsub(/&quot;/, "\"", message); gsub(/&lt;/, "<", message)
      gsub(/&gt;/, ">", message); gsub(/&apos;/, "\047", message); gsub(/&amp;/, "\\&", message)
      print "FAILED " type "." name ": " substr(message, 1, 400)
    }
    /<!\[CDATA\[/ { printed = 1 }
    /\]\]>/ { printed = 0 }'
}

# Test classes that Maven began and that left no report: their JVM died or was killed. The log does not say it reliably:
# two modules write to it at once, and lines are torn.
unfinished_classes() {
  local type
  grep -o '^\[INFO\] Running dev\.[A-Za-z0-9_.$]*' "$1" | sed 's/.* //' | sort -u | while IFS= read -r type; do
    [[ -n $(find "$ROOT"/*/target/*-reports -name "TEST-$type.xml" -size +0 2>/dev/null) ]] || echo "$type"
  done
}
