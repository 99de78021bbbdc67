#!/bin/sh
# Prints how to run gemini-cli, which `install` has put in place, as an ACP agent against `fake_model.py`.
#
#   gemini.sh PORT          one line: a `runtime_command` that needs nothing else. It writes the settings into the HOME
#                           it finds, the sandbox's, and brings its variables along.
#   gemini.sh PORT HOME     writes HOME/.gemini/settings.json; then line 1 is the command, each further line a variable
#                           that it needs, NAME=VALUE.
#
# PORT is the model's. Exit 77: skipped, Node or gemini is not installed.
#
# gemini asks before commands and writes by itself; nothing has to be switched on. It never runs a command that holds
# $(...), <(...) or backticks, allowed or not.
set -eu

skip() {
    echo "SKIP gemini: $1" >&2
    exit 77
}

case ${1:-} in
    '' | *[!0-9]*) echo "usage: gemini.sh PORT [HOME]" >&2; exit 2 ;;
esac

here=$(cd "$(dirname "$0")" && pwd)
program=$("$here/install" --where)/node_modules/@google/gemini-cli/bundle/gemini.js
[ -f "$program" ] || skip "gemini-cli is missing; run tests/runtimes/install"
node=$(command -v node) || skip "Node is missing"
version=$("$node" -p 'process.versions.node.split(".")[0]')
[ "$version" -ge 20 ] || skip "needs Node 20, this is $version"

command="'$node' '$program' --acp"
settings='{"security":{"auth":{"selectedType":"gemini-api-key"}},"general":{"enableAutoUpdate":false},"privacy":{"usageStatisticsEnabled":false},"telemetry":{"enabled":false}}'
# NO_RELAUNCH: one process instead of a parent and a child.
variables="GEMINI_API_KEY=none GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:$1 NO_BROWSER=1 GEMINI_CLI_NO_RELAUNCH=true GEMINI_CLI_TRUST_WORKSPACE=true"

if [ $# -gt 1 ]; then
    mkdir -p "$2/.gemini"
    printf '%s\n' "$settings" >"$2/.gemini/settings.json"
    printf '%s\n' "$command"
    printf '%s\n' $variables
else
    printf '%s\n' "mkdir -p \"\$HOME/.gemini\" && printf '%s\\n' '$settings' >\"\$HOME/.gemini/settings.json\" && exec env $variables $command"
fi
