-- What turns have cost so far, in millionths of a cent.
CREATE TABLE credits (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    spent INTEGER NOT NULL
) STRICT;
INSERT INTO credits VALUES (1, 0);

-- Lists of what waits are read in this order, page by page.
DROP INDEX requests_due;
CREATE INDEX requests_due ON requests (deadline, id) WHERE resolved_at IS NULL;
CREATE INDEX requests_asked ON requests (asked_at, id);
CREATE INDEX requests_open ON requests (conversation, asked_at, id) WHERE resolved_at IS NULL;
CREATE INDEX conversations_channel ON conversations (channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX conversations_sandbox ON conversations (sandbox_id);
