-- Times are milliseconds since 1970 in UTC; ids are text; JSON is text.

CREATE TABLE instance (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One counter for the whole log: ids only grow and are never used again, also after a delete.
CREATE TABLE sequence (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    last INTEGER NOT NULL
) STRICT;
INSERT INTO sequence VALUES (1, 0);

CREATE TABLE agents (
    id                TEXT PRIMARY KEY,
    name              TEXT NOT NULL COLLATE NOCASE UNIQUE,
    description       TEXT,
    system            TEXT,
    model             TEXT,
    runtime           TEXT NOT NULL,
    runtime_command   TEXT,
    sandbox_provider  TEXT,
    sandbox_mode      TEXT NOT NULL DEFAULT 'ephemeral' CHECK (sandbox_mode IN ('ephemeral', 'persistent')),
    metadata          TEXT NOT NULL DEFAULT '{}',
    permission_policy TEXT,
    inserted_at       INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL
) STRICT;

-- A key is never used again: whoever follows a log that was removed must not meet another one.
CREATE TABLE conversations (
    key                INTEGER PRIMARY KEY AUTOINCREMENT,
    id                 TEXT NOT NULL UNIQUE,
    agent_id           TEXT REFERENCES agents (id) ON DELETE SET NULL,
    runtime            TEXT NOT NULL,
    status             TEXT NOT NULL CHECK (status IN ('pending', 'running', 'idle', 'failed', 'terminated')),
    title              TEXT,
    title_origin       TEXT CHECK (title_origin IN ('explicit', 'harness')),
    first_prompt       TEXT,
    permission_policy  TEXT,
    parent_policies    TEXT,
    parent_id          TEXT,
    source             TEXT NOT NULL DEFAULT 'api',
    channel_id         TEXT,
    labels             TEXT NOT NULL DEFAULT '{}',
    sandbox_id         TEXT NOT NULL,
    sandbox_mode       TEXT NOT NULL DEFAULT 'ephemeral',
    sandbox_status     TEXT NOT NULL DEFAULT 'pending',
    sandbox_provider   TEXT NOT NULL,
    runtime_session_id TEXT,
    turn_count         INTEGER NOT NULL DEFAULT 0,
    stored_bytes       INTEGER NOT NULL DEFAULT 0,
    last_active_at     INTEGER NOT NULL,
    last_read_at       INTEGER,
    usage_input        INTEGER NOT NULL DEFAULT 0,
    usage_output       INTEGER NOT NULL DEFAULT 0,
    inserted_at        INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL
) STRICT;
CREATE INDEX conversations_updated ON conversations (updated_at DESC);
CREATE INDEX conversations_agent ON conversations (agent_id);

CREATE TABLE turns (
    id                TEXT PRIMARY KEY,
    conversation      INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
    number            INTEGER NOT NULL,
    origin            TEXT NOT NULL CHECK (origin IN ('user', 'autonomous')),
    status            TEXT NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed', 'interrupted')),
    prompt            TEXT NOT NULL,
    client_request_id TEXT,
    attempt           INTEGER NOT NULL DEFAULT 0,
    waiting           INTEGER NOT NULL DEFAULT 0,
    stop_reason       TEXT,
    reason            TEXT,
    exit_code         INTEGER,
    usage_input       INTEGER,
    usage_output      INTEGER,
    image_count       INTEGER NOT NULL DEFAULT 0,
    inserted_at       INTEGER NOT NULL,
    started_at        INTEGER,
    ended_at          INTEGER,
    UNIQUE (conversation, number)
) STRICT;
CREATE INDEX turns_open ON turns (conversation) WHERE status IN ('pending', 'running');

CREATE TABLE images (
    turn       TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    data       BLOB NOT NULL,
    PRIMARY KEY (turn, position)
) STRICT;

-- Append only; one key and no second index: writing an event is the hottest thing there is.
CREATE TABLE events (
    conversation INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
    id           INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    turn         TEXT,
    tag          TEXT NOT NULL,
    body         TEXT NOT NULL,
    duration_ms  INTEGER,
    PRIMARY KEY (conversation, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
    id           TEXT PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
    turn         TEXT NOT NULL,
    rpc_id       TEXT NOT NULL,
    tool         TEXT NOT NULL,
    kind         TEXT,
    summary      TEXT,
    options      TEXT NOT NULL,
    timeout      INTEGER,
    policy_key   TEXT NOT NULL,
    asked_at     INTEGER NOT NULL,
    deadline     INTEGER NOT NULL,
    detached     INTEGER NOT NULL DEFAULT 0,
    outcome      TEXT CHECK (outcome IN ('answered', 'timeout', 'turn_ended', 'cancelled')),
    option_id    TEXT,
    answered_by  TEXT,
    resolved_at  INTEGER
) STRICT;
CREATE INDEX requests_due ON requests (deadline) WHERE resolved_at IS NULL;
CREATE INDEX requests_of ON requests (conversation, asked_at);

-- Every verdict, kept as long as the transcript; not the audit trail.
CREATE TABLE decisions (
    conversation INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
    request      TEXT NOT NULL,
    turn         TEXT NOT NULL,
    at           INTEGER NOT NULL,
    title        TEXT,
    kind         TEXT,
    tool         TEXT NOT NULL,
    verdict      TEXT NOT NULL,
    policy_key   TEXT NOT NULL,
    source       TEXT NOT NULL,
    option_id    TEXT,
    latency_ms   INTEGER NOT NULL,
    PRIMARY KEY (conversation, request)
) STRICT, WITHOUT ROWID;

-- Refusals and what people did: never a value, an input, a path or a title.
CREATE TABLE audit (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    at            INTEGER NOT NULL,
    actor         TEXT NOT NULL,
    action        TEXT NOT NULL,
    resource_type TEXT,
    resource_id   TEXT,
    metadata      TEXT NOT NULL DEFAULT '{}'
) STRICT;

CREATE TABLE keys (
    id           TEXT PRIMARY KEY,
    name         TEXT NOT NULL,
    prefix       TEXT NOT NULL,
    hash         TEXT NOT NULL UNIQUE,
    scope        TEXT NOT NULL CHECK (scope IN ('full', 'read', 'sandbox')),
    conversation TEXT,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER
) STRICT;
CREATE INDEX keys_of ON keys (conversation) WHERE conversation IS NOT NULL;
