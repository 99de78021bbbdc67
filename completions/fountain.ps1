
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'fountain' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'fountain'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'fountain' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Start a conversation, send a prompt, follow it to the end of its turn')
            [CompletionResult]::new('conv', 'conv', [CompletionResultType]::ParameterValue, 'List, show, follow, prompt and end conversations')
            [CompletionResult]::new('requests', 'requests', [CompletionResultType]::ParameterValue, 'Show and answer what waits for a person, on every conversation')
            [CompletionResult]::new('agent', 'agent', [CompletionResultType]::ParameterValue, 'List, show, make, change and remove agents')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Look at a policy: why something is asked, and what another policy would have done')
            [CompletionResult]::new('audit', 'audit', [CompletionResultType]::ParameterValue, 'Show the audit trail: what was refused, and what people and keys did')
            [CompletionResult]::new('acp', 'acp', [CompletionResultType]::ParameterValue, 'Be an ACP agent on stdio, for an editor')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Run an instance: the daemon')
            [CompletionResult]::new('auth', 'auth', [CompletionResultType]::ParameterValue, 'Save keys, and choose between them')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show the instance and what waits there')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check an instance from end to end, with the built-in agent')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions of a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page, or write the pages of every command and guide below a directory')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Show a guide, or the help of a command')
            break
        }
        'fountain;run' {
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'The prompt; `-` reads it from stdin, as does leaving it out when stdin is no terminal')
            [CompletionResult]::new('--prompt', '--prompt', [CompletionResultType]::ParameterName, 'The prompt; `-` reads it from stdin, as does leaving it out when stdin is no terminal')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'An image to send with it: PNG, JPEG, GIF or WebP; repeatable')
            [CompletionResult]::new('--image', '--image', [CompletionResultType]::ParameterName, 'An image to send with it: PNG, JPEG, GIF or WebP; repeatable')
            [CompletionResult]::new('--permission', '--permission', [CompletionResultType]::ParameterName, 'What happens before a tool runs, for this conversation: a verdict (ask), or pairs (execute=ask,edit=auto_deny)')
            [CompletionResult]::new('--sandbox-mode', '--sandbox-mode', [CompletionResultType]::ParameterName, 'Where the sandbox lives')
            [CompletionResult]::new('--title', '--title', [CompletionResultType]::ParameterName, 'A title; without one the agent may give one')
            [CompletionResult]::new('--client-request-id', '--client-request-id', [CompletionResultType]::ParameterName, 'A label of this submission, kept with its turn')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop following after this long; the turn goes on')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--detach', '--detach', [CompletionResultType]::ParameterName, 'Print the conversation''s id and do not follow')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'When the turn ends waiting for a person, follow on into the turns that answers open')
            [CompletionResult]::new('--exit-waiting', '--exit-waiting', [CompletionResultType]::ParameterName, 'Exit with 7 when the turn ended waiting for a person')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the events instead of the text, one JSON object a line; with --detach the answer to the call')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;conv' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List conversations, the newest change first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show a conversation, its turns and what waits')
            [CompletionResult]::new('stream', 'stream', [CompletionResultType]::ParameterValue, 'Replay a conversation and follow it')
            [CompletionResult]::new('prompt', 'prompt', [CompletionResultType]::ParameterValue, 'Send a prompt to a conversation and follow its turn')
            [CompletionResult]::new('interrupt', 'interrupt', [CompletionResultType]::ParameterValue, 'Stop the turn that runs')
            [CompletionResult]::new('terminate', 'terminate', [CompletionResultType]::ParameterValue, 'End a conversation for good; it stays readable')
            [CompletionResult]::new('rename', 'rename', [CompletionResultType]::ParameterValue, 'Give a conversation a title, which the agent''s own titles do not replace')
            [CompletionResult]::new('delete', 'delete', [CompletionResultType]::ParameterValue, 'Remove a conversation with everything it has: transcript, sandbox, processes')
            [CompletionResult]::new('turns', 'turns', [CompletionResultType]::ParameterValue, 'List the turns of a conversation')
            [CompletionResult]::new('events', 'events', [CompletionResultType]::ParameterValue, 'Print the stored events of a conversation, oldest first')
            break
        }
        'fountain;conv;list' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Of this agent, by name or id')
            [CompletionResult]::new('--status', '--status', [CompletionResultType]::ParameterName, 'In these states: pending, running, idle, failed, terminated')
            [CompletionResult]::new('--channel', '--channel', [CompletionResultType]::ParameterName, 'Bound to this channel')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'So many at most')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;conv;show' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;conv;stream' {
            [CompletionResult]::new('--after', '--after', [CompletionResultType]::ParameterName, 'Begin after this event')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--no-follow', '--no-follow', [CompletionResultType]::ParameterName, 'End with what is stored')
            [CompletionResult]::new('--turn', '--turn', [CompletionResultType]::ParameterName, 'End with the turn that runs, or the next one, and exit as `run` does')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the events as they are, one JSON object a line')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;conv;prompt' {
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'The prompt; `-` reads it from stdin, as does leaving it out when stdin is no terminal')
            [CompletionResult]::new('--prompt', '--prompt', [CompletionResultType]::ParameterName, 'The prompt; `-` reads it from stdin, as does leaving it out when stdin is no terminal')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'An image to send with it: PNG, JPEG, GIF or WebP; repeatable')
            [CompletionResult]::new('--image', '--image', [CompletionResultType]::ParameterName, 'An image to send with it: PNG, JPEG, GIF or WebP; repeatable')
            [CompletionResult]::new('--client-request-id', '--client-request-id', [CompletionResultType]::ParameterName, 'A label of this submission, kept with its turn')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop following after this long; the turn goes on')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--detach', '--detach', [CompletionResultType]::ParameterName, 'Print the conversation''s id and do not follow')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'When the turn ends waiting for a person, follow on into the turns that answers open')
            [CompletionResult]::new('--exit-waiting', '--exit-waiting', [CompletionResultType]::ParameterName, 'Exit with 7 when the turn ended waiting for a person')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the events instead of the text, one JSON object a line; with --detach the answer to the call')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;conv;interrupt' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;conv;terminate' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;conv;rename' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;conv;delete' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;conv;turns' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;conv;events' {
            [CompletionResult]::new('--after', '--after', [CompletionResultType]::ParameterName, 'Begin after this event')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'So many at most; without it all')
            [CompletionResult]::new('--streams', '--streams', [CompletionResultType]::ParameterName, 'Only these: acp, stdout, stderr, stage')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--blocks', '--blocks', [CompletionResultType]::ParameterName, 'With rendered blocks')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;requests' {
            [CompletionResult]::new('--conversation', '--conversation', [CompletionResultType]::ParameterName, 'Only those of this conversation')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on and print each new one as it comes')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON; with --watch one object a line')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List what waits for a person, the soonest deadline first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show a request and its options, a settled one too')
            [CompletionResult]::new('answer', 'answer', [CompletionResultType]::ParameterValue, 'Answer a request; the first answer wins')
            break
        }
        'fountain;requests;list' {
            [CompletionResult]::new('--conversation', '--conversation', [CompletionResultType]::ParameterName, 'Only those of this conversation')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on and print each new one as it comes')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON; with --watch one object a line')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;requests;show' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;requests;answer' {
            [CompletionResult]::new('--option', '--option', [CompletionResultType]::ParameterName, 'The id of one of the agent''s options')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Refuse, with whatever rejection the agent offers')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;agent' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List agents')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show an agent')
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Make an agent')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Change an agent; what is not named stays')
            [CompletionResult]::new('delete', 'delete', [CompletionResultType]::ParameterValue, 'Remove an agent; its conversations stay readable')
            break
        }
        'fountain;agent;list' {
            [CompletionResult]::new('--search', '--search', [CompletionResultType]::ParameterName, 'Only those whose name holds this')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;agent;show' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;agent;create' {
            [CompletionResult]::new('--runtime', '--runtime', [CompletionResultType]::ParameterName, 'What runs: acp runs any command that speaks ACP')
            [CompletionResult]::new('--command', '--command', [CompletionResultType]::ParameterName, 'The shell line that runtime acp runs in the sandbox')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'The model, as provider/model')
            [CompletionResult]::new('--description', '--description', [CompletionResultType]::ParameterName, 'What it is for')
            [CompletionResult]::new('--permission', '--permission', [CompletionResultType]::ParameterName, 'What happens before a tool runs: a verdict (ask), or pairs (execute=ask,edit=auto_deny)')
            [CompletionResult]::new('--ask-timeout', '--ask-timeout', [CompletionResultType]::ParameterName, 'How long a request may wait beyond its turn')
            [CompletionResult]::new('--sandbox-mode', '--sandbox-mode', [CompletionResultType]::ParameterName, 'Where its sandboxes live')
            [CompletionResult]::new('--sandbox-provider', '--sandbox-provider', [CompletionResultType]::ParameterName, 'The kind of its sandboxes: directory')
            [CompletionResult]::new('--system', '--system', [CompletionResultType]::ParameterName, 'A file with its system prompt; `-` is stdin')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;agent;update' {
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'A new name')
            [CompletionResult]::new('--runtime', '--runtime', [CompletionResultType]::ParameterName, 'Another runtime')
            [CompletionResult]::new('--command', '--command', [CompletionResultType]::ParameterName, 'The shell line that runtime acp runs in the sandbox')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'The model, as provider/model')
            [CompletionResult]::new('--description', '--description', [CompletionResultType]::ParameterName, 'What it is for')
            [CompletionResult]::new('--permission', '--permission', [CompletionResultType]::ParameterName, 'What happens before a tool runs: a verdict (ask), or pairs (execute=ask,edit=auto_deny)')
            [CompletionResult]::new('--ask-timeout', '--ask-timeout', [CompletionResultType]::ParameterName, 'How long a request may wait beyond its turn')
            [CompletionResult]::new('--sandbox-mode', '--sandbox-mode', [CompletionResultType]::ParameterName, 'Where its sandboxes live')
            [CompletionResult]::new('--sandbox-provider', '--sandbox-provider', [CompletionResultType]::ParameterName, 'The kind of its sandboxes: directory')
            [CompletionResult]::new('--system', '--system', [CompletionResultType]::ParameterName, 'A file with its system prompt; `-` is stdin')
            [CompletionResult]::new('--clear', '--clear', [CompletionResultType]::ParameterName, 'Take a value away; repeatable')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;agent;delete' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;policy' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Tell what happens to a request, which key decides it, in which layer, and why')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Tell what a policy would have decided about the requests recorded so far')
            break
        }
        'fountain;policy;explain' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'The agent, by name or id')
            [CompletionResult]::new('--permission', '--permission', [CompletionResultType]::ParameterName, 'A launch''s policy beside the agent''s: a verdict (ask), or pairs (execute=ask,edit=auto_deny)')
            [CompletionResult]::new('--kind', '--kind', [CompletionResultType]::ParameterName, 'The kind of the tool call, such as execute; without it, the call names none')
            [CompletionResult]::new('--title', '--title', [CompletionResultType]::ParameterName, 'The title on the tool card, letter by letter')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;policy;replay' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'The agent, by name or id')
            [CompletionResult]::new('--permission', '--permission', [CompletionResultType]::ParameterName, 'The policy to try: a verdict (ask), or pairs (execute=ask,edit=auto_deny)')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only requests of this span up to now, such as 2h or 3d')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;audit' {
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only what happened in this span up to now, such as 2h or 3d')
            [CompletionResult]::new('--action', '--action', [CompletionResultType]::ParameterName, 'Only actions that begin so')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'The most rows, the newest ones')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;acp' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'The agent that every session runs, by name or id')
            [CompletionResult]::new('--vault', '--vault', [CompletionResultType]::ParameterName, 'A vault that every conversation gets, by name or id')
            [CompletionResult]::new('--environment', '--environment', [CompletionResultType]::ParameterName, 'An environment in place of the agent''s own, by name or id')
            [CompletionResult]::new('--sandbox-mode', '--sandbox-mode', [CompletionResultType]::ParameterName, 'Where the sandboxes live: ephemeral, one for each conversation')
            [CompletionResult]::new('--sandbox', '--sandbox', [CompletionResultType]::ParameterName, 'A sandbox that every conversation uses')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'A directory of this machine to work on')
            [CompletionResult]::new('--permission', '--permission', [CompletionResultType]::ParameterName, 'What happens before a tool runs: a verdict (ask), or pairs (execute=ask,edit=auto_deny)')
            [CompletionResult]::new('--log-level', '--log-level', [CompletionResultType]::ParameterName, 'What is told on standard error: debug, info, warn or error')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;serve' {
            [CompletionResult]::new('--listen', '--listen', [CompletionResultType]::ParameterName, 'The address to listen on (FOUNTAIN_LISTEN) [default: 127.0.0.1:4780]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where the database, the sandboxes and the log are (FOUNTAIN_DATA_DIR)')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'The configuration file (FOUNTAIN_CONFIG)')
            [CompletionResult]::new('--log-level', '--log-level', [CompletionResultType]::ParameterName, 'error, warn, info, debug or trace, or levels by module')
            [CompletionResult]::new('--log-format', '--log-format', [CompletionResultType]::ParameterName, 'How the log is written')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--print-config', '--print-config', [CompletionResultType]::ParameterName, 'Print the effective configuration, secrets masked, and end')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;auth' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('login', 'login', [CompletionResultType]::ParameterValue, 'Check a key with its instance and save it as a profile')
            [CompletionResult]::new('logout', 'logout', [CompletionResultType]::ParameterValue, 'Forget a profile and its key; the key stays good at its instance')
            [CompletionResult]::new('whoami', 'whoami', [CompletionResultType]::ParameterValue, 'Ask the instance whose key it is')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the profiles; never a key')
            [CompletionResult]::new('use', 'use', [CompletionResultType]::ParameterValue, 'Choose the profile that is used when none is named')
            [CompletionResult]::new('token', 'token', [CompletionResultType]::ParameterValue, 'Print the key, for programs that take it from the environment')
            break
        }
        'fountain;auth;login' {
            [CompletionResult]::new('--storage', '--storage', [CompletionResultType]::ParameterName, 'Where to keep the key; without it the keyring when one answers')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--api-key-stdin', '--api-key-stdin', [CompletionResultType]::ParameterName, 'Read the key from stdin')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;auth;logout' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;auth;whoami' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;auth;list' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;auth;use' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;auth;token' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;status' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;verify' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON: a list of checks')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;completions' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;man' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'Write them below this directory of manual pages')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('policies', 'policies', [CompletionResultType]::ParameterValue, 'what may run before anybody is asked, who answers, and what is kept')
            [CompletionResult]::new('editors', 'editors', [CompletionResultType]::ParameterValue, 'settings for editors, what they show, and what their errors mean')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Start a conversation, send a prompt, follow it to the end of its turn')
            [CompletionResult]::new('conv', 'conv', [CompletionResultType]::ParameterValue, 'List, show, follow, prompt and end conversations')
            [CompletionResult]::new('requests', 'requests', [CompletionResultType]::ParameterValue, 'Show and answer what waits for a person, on every conversation')
            [CompletionResult]::new('agent', 'agent', [CompletionResultType]::ParameterValue, 'List, show, make, change and remove agents')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Look at a policy: why something is asked, and what another policy would have done')
            [CompletionResult]::new('audit', 'audit', [CompletionResultType]::ParameterValue, 'Show the audit trail: what was refused, and what people and keys did')
            [CompletionResult]::new('acp', 'acp', [CompletionResultType]::ParameterValue, 'Be an ACP agent on stdio, for an editor')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Run an instance: the daemon')
            [CompletionResult]::new('auth', 'auth', [CompletionResultType]::ParameterValue, 'Save keys, and choose between them')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show the instance and what waits there')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check an instance from end to end, with the built-in agent')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions of a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page, or write the pages of every command and guide below a directory')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Show a guide, or the help of a command')
            break
        }
        'fountain;help;policies' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;editors' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;run' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;conv' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;requests' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;agent' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;policy' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;audit' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;acp' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;serve' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;auth' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;status' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;verify' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;completions' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;man' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'fountain;help;help' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'The saved profile to use (FOUNTAIN_PROFILE)')
            [CompletionResult]::new('--base-url', '--base-url', [CompletionResultType]::ParameterName, 'The instance to talk to (FOUNTAIN_BASE_URL)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print the result, questions and errors, nothing else')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice for still more')
            [CompletionResult]::new('--no-autostart', '--no-autostart', [CompletionResultType]::ParameterName, 'Never start an instance (FOUNTAIN_NO_AUTOSTART)')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
