# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_fountain_global_optspecs
    string join \n profile= base-url= color= q/quiet v/verbose no-autostart h/help V/version
end

function __fish_fountain_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_fountain_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_fountain_using_subcommand
    set -l cmd (__fish_fountain_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c fountain -n "__fish_fountain_needs_command" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_needs_command" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_needs_command" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_needs_command" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_needs_command" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_needs_command" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_needs_command" -s V -l version -d 'Print version'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "run" -d 'Start a conversation, send a prompt, follow it to the end of its turn'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "conv" -d 'List, show, follow, prompt and end conversations'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "requests" -d 'Show and answer what waits for a person, on every conversation'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "agent" -d 'List, show, make, change and remove agents'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "policy" -d 'Look at a policy: why something is asked, and what another policy would have done'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "audit" -d 'Show the audit trail: what was refused, and what people and keys did'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "acp" -d 'Be an ACP agent on stdio, for an editor'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "serve" -d 'Run an instance: the daemon'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "auth" -d 'Save keys, and choose between them'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "status" -d 'Show the instance and what waits there'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "verify" -d 'Check an instance from end to end, with the built-in agent'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "completions" -d 'Print the completions of a shell'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "man" -d 'Print the manual page, or write the pages of every command and guide below a directory'
complete -c fountain -n "__fish_fountain_needs_command" -f -a "help" -d 'Show a guide, or the help of a command'
complete -c fountain -n "__fish_fountain_using_subcommand run" -s p -l prompt -d 'The prompt; `-` reads it from stdin, as does leaving it out when stdin is no terminal' -r
complete -c fountain -n "__fish_fountain_using_subcommand run" -s i -l image -d 'An image to send with it: PNG, JPEG, GIF or WebP; repeatable' -r -F
complete -c fountain -n "__fish_fountain_using_subcommand run" -l permission -d 'What happens before a tool runs, for this conversation: a verdict (ask), or pairs (execute=ask,edit=auto_deny)' -r
complete -c fountain -n "__fish_fountain_using_subcommand run" -l sandbox-mode -d 'Where the sandbox lives' -r -f -a "ephemeral\t'One for this conversation alone'"
complete -c fountain -n "__fish_fountain_using_subcommand run" -l title -d 'A title; without one the agent may give one' -r
complete -c fountain -n "__fish_fountain_using_subcommand run" -l client-request-id -d 'A label of this submission, kept with its turn' -r
complete -c fountain -n "__fish_fountain_using_subcommand run" -l timeout -d 'Stop following after this long; the turn goes on' -r
complete -c fountain -n "__fish_fountain_using_subcommand run" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand run" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand run" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand run" -l detach -d 'Print the conversation\'s id and do not follow'
complete -c fountain -n "__fish_fountain_using_subcommand run" -l wait -d 'When the turn ends waiting for a person, follow on into the turns that answers open'
complete -c fountain -n "__fish_fountain_using_subcommand run" -l exit-waiting -d 'Exit with 7 when the turn ended waiting for a person'
complete -c fountain -n "__fish_fountain_using_subcommand run" -l json -d 'Print the events instead of the text, one JSON object a line; with --detach the answer to the call'
complete -c fountain -n "__fish_fountain_using_subcommand run" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand run" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand run" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -f -a "list" -d 'List conversations, the newest change first'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -f -a "show" -d 'Show a conversation, its turns and what waits'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -f -a "stream" -d 'Replay a conversation and follow it'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -f -a "prompt" -d 'Send a prompt to a conversation and follow its turn'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -f -a "interrupt" -d 'Stop the turn that runs'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -f -a "terminate" -d 'End a conversation for good; it stays readable'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -f -a "rename" -d 'Give a conversation a title, which the agent\'s own titles do not replace'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -f -a "delete" -d 'Remove a conversation with everything it has: transcript, sandbox, processes'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -f -a "turns" -d 'List the turns of a conversation'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and not __fish_seen_subcommand_from list show stream prompt interrupt terminate rename delete turns events" -f -a "events" -d 'Print the stored events of a conversation, oldest first'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from list" -l agent -d 'Of this agent, by name or id' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from list" -l status -d 'In these states: pending, running, idle, failed, terminated' -r -f -a "pending\t''
running\t''
idle\t''
failed\t''
terminated\t''"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from list" -l channel -d 'Bound to this channel' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from list" -l limit -d 'So many at most' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from list" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from list" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from list" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from list" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from show" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from show" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from show" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from show" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from show" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from stream" -l after -d 'Begin after this event' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from stream" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from stream" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from stream" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from stream" -l no-follow -d 'End with what is stored'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from stream" -l turn -d 'End with the turn that runs, or the next one, and exit as `run` does'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from stream" -l json -d 'Print the events as they are, one JSON object a line'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from stream" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from stream" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from stream" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from stream" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -s p -l prompt -d 'The prompt; `-` reads it from stdin, as does leaving it out when stdin is no terminal' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -s i -l image -d 'An image to send with it: PNG, JPEG, GIF or WebP; repeatable' -r -F
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -l client-request-id -d 'A label of this submission, kept with its turn' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -l timeout -d 'Stop following after this long; the turn goes on' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -l detach -d 'Print the conversation\'s id and do not follow'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -l wait -d 'When the turn ends waiting for a person, follow on into the turns that answers open'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -l exit-waiting -d 'Exit with 7 when the turn ended waiting for a person'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -l json -d 'Print the events instead of the text, one JSON object a line; with --detach the answer to the call'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from prompt" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from interrupt" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from interrupt" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from interrupt" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from interrupt" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from interrupt" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from interrupt" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from interrupt" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from terminate" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from terminate" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from terminate" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from terminate" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from terminate" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from terminate" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from terminate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from rename" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from rename" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from rename" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from rename" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from rename" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from rename" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from rename" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from delete" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from delete" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from delete" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from delete" -s y -l yes -d 'Do not ask'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from delete" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from delete" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from delete" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from delete" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from turns" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from turns" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from turns" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from turns" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from turns" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from turns" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from turns" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from turns" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from events" -l after -d 'Begin after this event' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from events" -l limit -d 'So many at most; without it all' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from events" -l streams -d 'Only these: acp, stdout, stderr, stage' -r -f -a "acp\t''
stdout\t''
stderr\t''
stage\t''"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from events" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from events" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from events" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from events" -l blocks -d 'With rendered blocks'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from events" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from events" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from events" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from events" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand conv; and __fish_seen_subcommand_from events" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -l conversation -d 'Only those of this conversation' -r
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -l watch -d 'Go on and print each new one as it comes'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -l json -d 'Print JSON; with --watch one object a line'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -f -a "list" -d 'List what waits for a person, the soonest deadline first'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -f -a "show" -d 'Show a request and its options, a settled one too'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and not __fish_seen_subcommand_from list show answer" -f -a "answer" -d 'Answer a request; the first answer wins'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from list" -l conversation -d 'Only those of this conversation' -r
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from list" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from list" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from list" -l watch -d 'Go on and print each new one as it comes'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from list" -l json -d 'Print JSON; with --watch one object a line'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from list" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from show" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from show" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from show" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from show" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from show" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from answer" -l option -d 'The id of one of the agent\'s options' -r
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from answer" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from answer" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from answer" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from answer" -l deny -d 'Refuse, with whatever rejection the agent offers'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from answer" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from answer" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from answer" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand requests; and __fish_seen_subcommand_from answer" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and not __fish_seen_subcommand_from list show create update delete" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and not __fish_seen_subcommand_from list show create update delete" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and not __fish_seen_subcommand_from list show create update delete" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand agent; and not __fish_seen_subcommand_from list show create update delete" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and not __fish_seen_subcommand_from list show create update delete" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and not __fish_seen_subcommand_from list show create update delete" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and not __fish_seen_subcommand_from list show create update delete" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and not __fish_seen_subcommand_from list show create update delete" -f -a "list" -d 'List agents'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and not __fish_seen_subcommand_from list show create update delete" -f -a "show" -d 'Show an agent'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and not __fish_seen_subcommand_from list show create update delete" -f -a "create" -d 'Make an agent'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and not __fish_seen_subcommand_from list show create update delete" -f -a "update" -d 'Change an agent; what is not named stays'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and not __fish_seen_subcommand_from list show create update delete" -f -a "delete" -d 'Remove an agent; its conversations stay readable'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from list" -l search -d 'Only those whose name holds this' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from list" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from list" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from list" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from list" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from show" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from show" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from show" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from show" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from show" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l runtime -d 'What runs: acp runs any command that speaks ACP' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l command -d 'The shell line that runtime acp runs in the sandbox' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l model -d 'The model, as provider/model' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l description -d 'What it is for' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l permission -d 'What happens before a tool runs: a verdict (ask), or pairs (execute=ask,edit=auto_deny)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l ask-timeout -d 'How long a request may wait beyond its turn' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l sandbox-mode -d 'Where its sandboxes live' -r -f -a "ephemeral\t'One for this conversation alone'"
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l sandbox-provider -d 'The kind of its sandboxes: directory' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l system -d 'A file with its system prompt; `-` is stdin' -r -F
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from create" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l name -d 'A new name' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l runtime -d 'Another runtime' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l command -d 'The shell line that runtime acp runs in the sandbox' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l model -d 'The model, as provider/model' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l description -d 'What it is for' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l permission -d 'What happens before a tool runs: a verdict (ask), or pairs (execute=ask,edit=auto_deny)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l ask-timeout -d 'How long a request may wait beyond its turn' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l sandbox-mode -d 'Where its sandboxes live' -r -f -a "ephemeral\t'One for this conversation alone'"
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l sandbox-provider -d 'The kind of its sandboxes: directory' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l system -d 'A file with its system prompt; `-` is stdin' -r -F
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l clear -d 'Take a value away; repeatable' -r -f -a "command\t''
model\t''
description\t''
permission\t''
sandbox-mode\t''
sandbox-provider\t''
system\t''"
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from update" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from delete" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from delete" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from delete" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from delete" -s y -l yes -d 'Do not ask'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from delete" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from delete" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from delete" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand agent; and __fish_seen_subcommand_from delete" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and not __fish_seen_subcommand_from explain replay" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and not __fish_seen_subcommand_from explain replay" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and not __fish_seen_subcommand_from explain replay" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand policy; and not __fish_seen_subcommand_from explain replay" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and not __fish_seen_subcommand_from explain replay" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and not __fish_seen_subcommand_from explain replay" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and not __fish_seen_subcommand_from explain replay" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and not __fish_seen_subcommand_from explain replay" -f -a "explain" -d 'Tell what happens to a request, which key decides it, in which layer, and why'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and not __fish_seen_subcommand_from explain replay" -f -a "replay" -d 'Tell what a policy would have decided about the requests recorded so far'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from explain" -l agent -d 'The agent, by name or id' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from explain" -l permission -d 'A launch\'s policy beside the agent\'s: a verdict (ask), or pairs (execute=ask,edit=auto_deny)' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from explain" -l kind -d 'The kind of the tool call, such as execute; without it, the call names none' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from explain" -l title -d 'The title on the tool card, letter by letter' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from explain" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from explain" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from explain" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from explain" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from explain" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from explain" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from explain" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from replay" -l agent -d 'The agent, by name or id' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from replay" -l permission -d 'The policy to try: a verdict (ask), or pairs (execute=ask,edit=auto_deny)' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from replay" -l since -d 'Only requests of this span up to now, such as 2h or 3d' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from replay" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from replay" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from replay" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from replay" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from replay" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from replay" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from replay" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand policy; and __fish_seen_subcommand_from replay" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand audit" -l since -d 'Only what happened in this span up to now, such as 2h or 3d' -r
complete -c fountain -n "__fish_fountain_using_subcommand audit" -l action -d 'Only actions that begin so' -r
complete -c fountain -n "__fish_fountain_using_subcommand audit" -l limit -d 'The most rows, the newest ones' -r
complete -c fountain -n "__fish_fountain_using_subcommand audit" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand audit" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand audit" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand audit" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand audit" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand audit" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand audit" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand audit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand acp" -l agent -d 'The agent that every session runs, by name or id' -r
complete -c fountain -n "__fish_fountain_using_subcommand acp" -l vault -d 'A vault that every conversation gets, by name or id' -r
complete -c fountain -n "__fish_fountain_using_subcommand acp" -l environment -d 'An environment in place of the agent\'s own, by name or id' -r
complete -c fountain -n "__fish_fountain_using_subcommand acp" -l sandbox-mode -d 'Where the sandboxes live: ephemeral, one for each conversation' -r
complete -c fountain -n "__fish_fountain_using_subcommand acp" -l sandbox -d 'A sandbox that every conversation uses' -r
complete -c fountain -n "__fish_fountain_using_subcommand acp" -l workspace -d 'A directory of this machine to work on' -r
complete -c fountain -n "__fish_fountain_using_subcommand acp" -l permission -d 'What happens before a tool runs: a verdict (ask), or pairs (execute=ask,edit=auto_deny)' -r
complete -c fountain -n "__fish_fountain_using_subcommand acp" -l log-level -d 'What is told on standard error: debug, info, warn or error' -r
complete -c fountain -n "__fish_fountain_using_subcommand acp" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand acp" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand acp" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand acp" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand acp" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand acp" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand acp" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand serve" -l listen -d 'The address to listen on (FOUNTAIN_LISTEN) [default: 127.0.0.1:4780]' -r
complete -c fountain -n "__fish_fountain_using_subcommand serve" -l data-dir -d 'Where the database, the sandboxes and the log are (FOUNTAIN_DATA_DIR)' -r -F
complete -c fountain -n "__fish_fountain_using_subcommand serve" -l config -d 'The configuration file (FOUNTAIN_CONFIG)' -r -F
complete -c fountain -n "__fish_fountain_using_subcommand serve" -l log-level -d 'error, warn, info, debug or trace, or levels by module' -r
complete -c fountain -n "__fish_fountain_using_subcommand serve" -l log-format -d 'How the log is written' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c fountain -n "__fish_fountain_using_subcommand serve" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand serve" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand serve" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand serve" -l print-config -d 'Print the effective configuration, secrets masked, and end'
complete -c fountain -n "__fish_fountain_using_subcommand serve" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand serve" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand serve" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand serve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -f -a "login" -d 'Check a key with its instance and save it as a profile'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -f -a "logout" -d 'Forget a profile and its key; the key stays good at its instance'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -f -a "whoami" -d 'Ask the instance whose key it is'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -f -a "list" -d 'List the profiles; never a key'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -f -a "use" -d 'Choose the profile that is used when none is named'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and not __fish_seen_subcommand_from login logout whoami list use token" -f -a "token" -d 'Print the key, for programs that take it from the environment'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from login" -l storage -d 'Where to keep the key; without it the keyring when one answers' -r -f -a "keyring\t'The system\'s keyring'
file\t'The credentials file, readable by its owner alone'"
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from login" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from login" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from login" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from login" -l api-key-stdin -d 'Read the key from stdin'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from login" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from login" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from login" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from login" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from logout" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from logout" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from logout" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from logout" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from logout" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from logout" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from logout" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from whoami" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from whoami" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from whoami" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from whoami" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from whoami" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from whoami" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from whoami" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from whoami" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from list" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from list" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from list" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from list" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from use" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from use" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from use" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from use" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from use" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from use" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from use" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from token" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from token" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from token" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from token" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from token" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from token" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand auth; and __fish_seen_subcommand_from token" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand status" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand status" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand status" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand status" -l json -d 'Print JSON'
complete -c fountain -n "__fish_fountain_using_subcommand status" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand status" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand status" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand verify" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand verify" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand verify" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand verify" -l json -d 'Print JSON: a list of checks'
complete -c fountain -n "__fish_fountain_using_subcommand verify" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand verify" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand verify" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand completions" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand completions" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand completions" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand completions" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand completions" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand completions" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand man" -l dir -d 'Write them below this directory of manual pages' -r -F
complete -c fountain -n "__fish_fountain_using_subcommand man" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand man" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand man" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand man" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand man" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand man" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "policies" -d 'what may run before anybody is asked, who answers, and what is kept'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "editors" -d 'settings for editors, what they show, and what their errors mean'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "run" -d 'Start a conversation, send a prompt, follow it to the end of its turn'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "conv" -d 'List, show, follow, prompt and end conversations'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "requests" -d 'Show and answer what waits for a person, on every conversation'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "agent" -d 'List, show, make, change and remove agents'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "policy" -d 'Look at a policy: why something is asked, and what another policy would have done'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "audit" -d 'Show the audit trail: what was refused, and what people and keys did'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "acp" -d 'Be an ACP agent on stdio, for an editor'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "serve" -d 'Run an instance: the daemon'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "auth" -d 'Save keys, and choose between them'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "status" -d 'Show the instance and what waits there'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "verify" -d 'Check an instance from end to end, with the built-in agent'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "completions" -d 'Print the completions of a shell'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "man" -d 'Print the manual page, or write the pages of every command and guide below a directory'
complete -c fountain -n "__fish_fountain_using_subcommand help; and not __fish_seen_subcommand_from policies editors run conv requests agent policy audit acp serve auth status verify completions man help" -a "help" -d 'Show a guide, or the help of a command'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policies" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policies" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policies" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policies" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policies" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policies" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policies" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from editors" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from editors" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from editors" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from editors" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from editors" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from editors" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from editors" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from run" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from run" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from run" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from run" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from run" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from run" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from conv" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from conv" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from conv" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from conv" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from conv" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from conv" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from conv" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from requests" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from requests" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from requests" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from requests" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from requests" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from requests" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from requests" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from agent" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from agent" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from agent" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from agent" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from agent" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from agent" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from agent" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policy" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policy" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policy" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policy" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policy" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policy" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from policy" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from audit" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from audit" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from audit" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from audit" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from audit" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from audit" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from audit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from acp" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from acp" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from acp" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from acp" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from acp" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from acp" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from acp" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from serve" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from serve" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from serve" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from serve" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from serve" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from serve" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from serve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from auth" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from auth" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from auth" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from auth" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from auth" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from auth" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from auth" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from status" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from status" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from status" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from status" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from status" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from status" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from verify" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from verify" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from verify" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from verify" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from verify" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from verify" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from completions" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from completions" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from completions" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from completions" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from completions" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from completions" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from man" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from man" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from man" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from man" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from man" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from man" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from help" -l profile -d 'The saved profile to use (FOUNTAIN_PROFILE)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from help" -l base-url -d 'The instance to talk to (FOUNTAIN_BASE_URL)' -r
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` says otherwise'
always\t'Always'
never\t'Never'"
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from help" -s q -l quiet -d 'Print the result, questions and errors, nothing else'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from help" -s v -l verbose -d 'Tell more; twice for still more'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from help" -l no-autostart -d 'Never start an instance (FOUNTAIN_NO_AUTOSTART)'
complete -c fountain -n "__fish_fountain_using_subcommand help; and __fish_seen_subcommand_from help" -s h -l help -d 'Print help (see more with \'--help\')'
