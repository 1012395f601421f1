# What stands before the commands of a page: each has to succeed, and one that does not says where it stands.
set -Eeuo pipefail
block=''
printed=''
exec 9>&2
fail() {
  echo "$block: exit code $1: $2"
  if [ -f "$printed" ]; then tail -n 20 "$printed"; fi
  if [ -f "$RUN/service.log" ]; then tail -n 5 "$RUN/service.log"; fi
  exit "$1"
}
trap 'fail $? "$BASH_COMMAND" >&9' ERR

# Runs the commands of a file until they have printed a text, and ends them as Ctrl+C would.
run_until() {
  setsid bash -euo pipefail "$2" > "$RUN/until.log" 2>&1 < /dev/null &
  local pid=$! found=1 tries=0
  while [ $((++tries)) -lt 600 ]; do
    if grep -qF -- "$1" "$RUN/until.log"; then found=0 && break; fi
    kill -0 "$pid" 2> /dev/null || break
    sleep 0.1
  done
  grep -qF -- "$1" "$RUN/until.log" && found=0
  kill -INT -- "-$pid" 2> /dev/null || true
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    kill -0 -- "-$pid" 2> /dev/null || break
    sleep 0.1
  done
  kill -KILL -- "-$pid" 2> /dev/null || true
  wait "$pid" 2> /dev/null || true
  cat "$RUN/until.log" >&2
  return "$found"
}
