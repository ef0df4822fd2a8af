"""Each code with which a pass can fail, in words for a person: what it means, and what to do about it."""

from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen

from ..problem import Code

__all__ = ["EXPLAINED", "Explained", "explain"]


@frozen
class Explained:
    """What a code means, and what to do."""

    words: str
    remedy: str


_AGAIN = "nothing to do: it is tried again by itself"
_LOOK = "see the message; when the cause is mended, `scriptorium write --force`"

EXPLAINED: Mapping[Code, Explained] = MappingProxyType(
    {
        # The conversation.
        Code.MISSING_SESSION_ID: Explained(
            "the agent named neither its session nor its log",
            "nothing to do if it was called by hand; else see that the agent's hook gives `session_id`",
        ),
        Code.SESSION_NODES_UNAVAILABLE: Explained(
            "the conversation could not be read from the session store",
            "import its log; if that does not help, see `scriptorium doctor`",
        ),
        # The writer.
        Code.WRITER_NO_PROGRESS: Explained(
            "the writer ended without a change and without saying that nothing is worth keeping",
            "write it with another writer or model, or leave it: the messages stay unwritten",
        ),
        Code.WRITER_PRECONDITION_FAILED: Explained(
            "the writer lacks something that it needs: a tape that fits, a program, a setting",
            "mend what the message names, then `scriptorium write --force`",
        ),
        Code.WRITER_FAILURE_UNKNOWN: Explained(
            "the writer failed in a way that it does not explain",
            f"{_AGAIN}; if it goes on, report the message",
        ),
        # Its model.
        Code.MODEL_TRANSPORT: Explained(
            "the model could not be reached", f"see that the network and its address are right; {_AGAIN}"
        ),
        Code.MODEL_TIMEOUT: Explained("the model did not answer in time", _AGAIN),
        Code.MODEL_RATE_LIMIT: Explained(
            "the provider's limit is reached", "nothing to do: it goes on when the limit is lifted"
        ),
        Code.MODEL_PROVIDER_INTERNAL: Explained("the provider has a fault of its own", _AGAIN),
        Code.MODEL_AUTHENTICATION: Explained(
            "the provider does not accept the key or the login", "set a valid key or log in again"
        ),
        Code.MODEL_AUTHORIZATION: Explained(
            "the key or the login may not use this model", "choose a model that it may use, or get the right"
        ),
        Code.MODEL_INVALID_REQUEST: Explained(
            "the provider refuses the form of the request", "see that the settings name a model that exists"
        ),
        Code.MODEL_CONTEXT_LENGTH: Explained(
            "the batch is longer than the model can read",
            "set a smaller `batch_tokens`, or choose a larger model",
        ),
        Code.MODEL_CONTENT_POLICY: Explained(
            "the provider refuses what is said in the batch",
            "`scriptorium write --writer extractive` writes it and asks no model",
        ),
        Code.MODEL_TRUNCATED: Explained(
            "the model's answer ended before it was whole", "set a smaller `batch_tokens`"
        ),
        Code.MODEL_FAILURE_UNKNOWN: Explained("the model failed for a reason that is not known", _AGAIN),
        # The change that it wanted.
        Code.COMMIT_REJECTED: Explained(
            "the writer's changes broke the rules of the memory, and nothing was changed",
            "see the problems; write the conversation again, by another writer if need be",
        ),
        Code.INVALID_ARGUMENT: Explained("something was given in a form that cannot be used", _LOOK),
        Code.INVALID_TOPIC_FORMAT: Explained("a topic is not in the form of the memory", _LOOK),
        Code.PATH_OUTSIDE_WORKSPACE: Explained("a path leads out of the memory directory", _LOOK),
        Code.MISSING_SOURCE: Explained("something cites a message that is not archived", _LOOK),
        Code.SOURCE_PENDING: Explained(
            "something rests on a message that waits for your consent", "`scriptorium promote` lets it in"
        ),
        Code.BLOCK_LOST: Explained("a record would have been lost that nobody deleted", _LOOK),
        Code.LINK_DANGLING: Explained("a link would have led nowhere", _LOOK),
        Code.PATCH_CONFLICT: Explained("a patch does not fit the topic", _LOOK),
        Code.APPEND_ONLY_REQUIRED: Explained("what is archived may only grow", _LOOK),
        Code.NOT_PERMITTED: Explained("it is not permitted", "see the message for what forbids it"),
        Code.FORGOTTEN: Explained("it was forgotten, and stays so", "nothing to do"),
        Code.TOO_MANY_DELETIONS: Explained("more would have been deleted than one change may", _LOOK),
        # The memory and the disk.
        Code.CONCURRENT_UPDATE: Explained("somebody else was writing to the memory", _AGAIN),
        Code.DRAFT_IN_THE_WAY: Explained(
            "a topic was edited by hand and does not pass yet", "mend it, then `scriptorium adopt`"
        ),
        Code.SOURCES_CHANGED: Explained("the archive changed meanwhile", _AGAIN),
        Code.READ_ONLY_PATH: Explained(
            "the disk does not let us write", "make the memory directory writable, or make room"
        ),
        Code.MEMORY_NOT_FOUND: Explained("there is no such memory", "`scriptorium init` makes one"),
        Code.GIT_UNAVAILABLE: Explained(
            "the git repository of the memory cannot be opened", "`scriptorium doctor`"
        ),
        Code.GIT_COMMIT_FAILED: Explained("git could not commit", f"see that the disk has room; {_AGAIN}"),
        Code.DISK_FAILED: Explained(
            "the disk failed, or has no room", f"see that it is sound and has room; {_AGAIN}"
        ),
        Code.HISTORY_DAMAGED: Explained(
            "an object of the history is damaged", "`scriptorium doctor --repair`"
        ),
        Code.EMBEDDING_UNAVAILABLE: Explained("the embeddings could not be made", _AGAIN),
        Code.SECRET_FOUND: Explained(
            "a secret stands in clear in the memory",
            "see `scriptorium verify` for the place, and renew the secret",
        ),
        Code.SEAL_BROKEN: Explained(
            "an object of a sealed library is missing, altered or foreign", "`scriptorium verify LOCATION`"
        ),
        Code.KEY_UNAVAILABLE: Explained(
            "the key of a sealed library is not here", "`scriptorium key import`"
        ),
        Code.STORAGE_FAILED: Explained("the storage of a sealed library failed", _AGAIN),
        Code.VIEW_STALE: Explained("a view is not what would be derived", "`scriptorium doctor --repair`"),
        Code.INDEX_STALE: Explained("an index is not what would be built", "`scriptorium doctor --repair`"),
    }
)
"""All codes: a status may hold any."""

_UNKNOWN = Explained("a failure that this version does not know", "upgrade scriptorium")


def explain(code: str) -> Explained:
    """What a code means; a status of another version may hold one that is not known."""
    try:
        return EXPLAINED[Code(code)]
    except ValueError:
        return _UNKNOWN
