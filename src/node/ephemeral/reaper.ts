/**
 * Removes a throw-away sandbox after its process has ended in whatever way, also by `kill -9`: a
 * shell that waits for the end of a pipe which that process alone holds open.
 */
import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { SandboxFolder } from './folder.ts'

/**
 * `$1` is the folder, `$2` that of the socket. A number in postmaster.pid may belong to another
 * process by now, so the server is recognised by its folder. A program that is just starting goes
 * on writing for a moment, hence the repeats.
 */
const SCRIPT = `
trap '' HUP INT TERM
read -r _
is_server() {
  if [ -d /proc/self ]; then [ "$(readlink "/proc/$1/cwd")" = "$2/postgres" ]
  else ps -o command= -p "$1" | grep -qF "$2/postgres"; fi
}
tries=0
while [ -e "$1" ] || [ -e "$2" ]; do
  pid=$(head -n 1 "$1/postgres/postmaster.pid")
  case $pid in
    '' | *[!0-9]*) ;;
    *) if is_server "$pid" "$1"; then kill -s QUIT "$pid"; sleep 0.1; fi ;;
  esac
  rm -rf "$1" "$2"
  tries=$((tries + 1))
  [ $tries -lt 100 ] || exit 1
  sleep 0.1
done
`

export function startReaper({ path, socketDir }: SandboxFolder): void {
  // In a session of its own: what ends the group of the sandbox must not end this.
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'malipo-reaper', path, socketDir], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without it everything works, but for a killed sandbox: the next one then removes what is left.
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref()
}
