"""The laws that every edit keeps, whoever makes it: each a function from a case to what breaks it."""

from collections.abc import Iterator, Mapping

from ..facts.model import human_of_owner
from ..markdown.links import links_in, resolve, without_paths
from ..names import CORE_TOPIC, BlockId, TopicPath, path_key, topic_path
from ..policy import POLICY_FILE, Action, binds, is_instruction, overwritten, permits, withheld
from ..problem import Code, Problem
from ..sizes import SPLIT, too_large
from ..topics.model import Cited, Record, Topic
from ..topics.parse import parse_topic
from .case import Case, substance

__all__ = [
    "blocks_kept",
    "deletions_bounded",
    "evidence_untouched",
    "forgotten_stays_away",
    "format_kept",
    "ids_unique",
    "links_land",
    "names_kept_apart",
    "policy_sound",
    "sizes_bounded",
    "sources_exist",
    "speakers_entitled",
]


def evidence_untouched(case: Case) -> Iterator[Problem]:
    """`sources/` equals that of the base, and nothing outside `topics/` but the policy is edited."""
    for path in case.edited.differences():
        if path.startswith("sources/"):
            yield Problem(
                Code.SOURCES_CHANGED, "archived evidence was changed", path, remedy="leave sources/ as it is"
            )
        elif not path.startswith("topics/") and path != POLICY_FILE:
            yield Problem(
                Code.READ_ONLY_PATH,
                "only topics/ is edited; the rest is derived",
                path,
                remedy="edit a topic",
            )


def policy_sound(case: Case) -> Iterator[Problem]:
    """A policy that is committed can be read, and does not lock the owner out; only the owner sets one."""
    edited = case.edited.differences()
    if POLICY_FILE not in edited:
        return
    from ..policy.reading import parse_policy

    if not permits(case.caller.tier, Action.CHANGE):
        yield Problem(
            Code.NOT_PERMITTED, "only the owner sets the policy", POLICY_FILE, remedy="ask the owner"
        )
    data = edited[POLICY_FILE]
    yield from parse_policy(data)[1] if data is not None else ()


def names_kept_apart(case: Case) -> Iterator[Problem]:
    """A topic's path is safe, and no other path equals it but for case or Unicode form."""
    taken = {path_key(path): path for path in case.before if path in case.after}
    for path in case.after:
        if path not in case.before and isinstance(fault := topic_path(path), Problem):
            yield fault
        known = case.facts.topics.get(path_key(path))
        elsewhere = known.path if known and not case.touches(known.path) else None
        other = elsewhere or taken.setdefault(path_key(path), path)
        if other != path:
            message = f"it differs from {other} only in case or Unicode form"
            yield Problem(Code.INVALID_TOPIC_FORMAT, message, path, remedy=f"write to {other}")


def format_kept(case: Case) -> Iterator[Problem]:
    """Every touched topic can be read."""
    yield from case.unread


def blocks_kept(case: Case) -> Iterator[Problem]:
    """Every block id of the base remains, wherever it has moved, except those declared deleted."""
    after = _ids(case.after)
    for topic in case.before.values():
        for record in topic.records:
            for block in record.ids:
                if block not in after and block not in case.deleted:
                    words = " ".join(record.content.split())[:48]
                    yield Problem(
                        Code.BLOCK_LOST,
                        f"the record ^{block} ({words}) vanished",
                        topic.path,
                        record.lines[0],
                        "put its id back, or delete it on purpose",
                    )


def ids_unique(case: Case) -> Iterator[Problem]:
    """No id stands twice in the directory."""
    seen: dict[BlockId, TopicPath] = {}
    stood = _ids(case.before)
    for topic in case.after.values():
        for record in topic.records:
            for block in record.ids:
                other = None if block in stood else case.elsewhere(block)
                where = seen.setdefault(block, topic.path) if other is None else other.path
                if where != topic.path:
                    message = f"the block id ^{block} stands in {where} already"
                    yield _format(topic, record, message, "leave the id out; a new one is allocated")


def links_land(case: Case) -> Iterator[Problem]:
    """Every block link resolves, and a link to another topic carries `#^id`."""
    before, after = _ids(case.before), _ids(case.after)
    kept = {record.content for topic in case.before.values() for record in topic.records}
    for topic, record in _records(case):
        for block in record.links:
            lost = block in before or record.content not in kept
            if lost and block not in after and case.elsewhere(block) is None:
                yield _dangling(topic.path, record, block)
        if record.content not in kept:
            yield from _bare_links(topic, record)
    for block in sorted(before - after):
        for linking in case.facts.backlinks.get(block, ()):
            elsewhere = case.elsewhere(linking)
            if elsewhere is not None:
                yield _dangling(elsewhere.path, elsewhere, block)


def sources_exist(case: Case) -> Iterator[Problem]:
    """A new citation names an archived, trusted message that the caller may cite."""
    earlier = {
        (block, source.place)
        for topic in case.before.values()
        for record in topic.records
        for source in record.sources
        for block in record.ids
    }
    for topic, record in _records(case):
        for source in record.sources:
            if not any((block, source.place) in earlier for block in record.ids):
                yield from _citation(case, topic, record, source)


def speakers_entitled(case: Case) -> Iterator[Problem]:
    """A standing instruction rests on the owner's own words; whoever is not the owner only adds elsewhere."""
    old = [record for topic in case.before.values() for record in topic.records if is_instruction(record)]
    for topic in case.after.values():
        for record in filter(is_instruction, topic.records):
            if not (_binds(case, record) or any(_goes_on(case, was, record) for was in old)):
                message = "a record of the core, or of `Kind: rule`, needs the owner's own words as evidence"
                remedy = "cite what the owner said, or write it to another topic without the kind"
                yield _problem(Code.NOT_PERMITTED, topic, record, message, remedy)
    tier = case.caller.tier
    if case.promoted:
        yield from withheld(tier, Action.PROMOTE)
    if not permits(tier, Action.CHANGE):
        yield from _append_only(case)
        yield from _only_the_owners(case)


def sizes_bounded(case: Case) -> Iterator[Problem]:
    """No record and no message is larger than one may be; a record that was so before stays."""
    large = [(topic, record, why) for topic, record in _records(case) if (why := too_large(record.content))]
    before = (record.content for topic in case.before.values() for record in topic.records) if large else ()
    kept = {without_paths(content) for content in before}
    for topic, record, why in large:
        if without_paths(record.content) not in kept:
            yield _format(topic, record, f"^{record.id} {why}", SPLIT)
    for place, source in case.archived.items():
        if why := too_large(source.text):
            yield Problem(Code.INVALID_ARGUMENT, f"the message {source.id} {why}", place, remedy=SPLIT)


def forgotten_stays_away(case: Case) -> Iterator[Problem]:
    """No id that was forgotten returns; a forgotten source is not cited anew."""
    for topic, record in _records(case):
        for block in record.ids:
            if block in case.facts.forgotten and block not in case.facts.records:
                message = f"^{block} was forgotten on {case.facts.forgotten[block]}"
                yield _problem(Code.FORGOTTEN, topic, record, message, "leave it out")


def deletions_bounded(case: Case) -> Iterator[Problem]:
    """An organizing pass deletes at most a fifth of what it was shown, and five in any case."""
    if case.shown is None:
        return
    most = max(5, case.shown // 5)
    if len(case.deleted) > most:
        message = f"{len(case.deleted)} records deleted of {case.shown} shown; at most {most} are allowed"
        yield Problem(
            Code.TOO_MANY_DELETIONS,
            message,
            "request",
            remedy="merge instead of deleting, or organize a smaller part",
        )


def _ids(topics: Mapping[TopicPath, Topic]) -> set[BlockId]:
    return {block for topic in topics.values() for block in topic.ids}


def _records(case: Case) -> Iterator[tuple[Topic, Record]]:
    for topic in case.after.values():
        for record in topic.records:
            yield topic, record


def _bare_links(topic: Topic, record: Record) -> Iterator[Problem]:
    for link in links_in(record.content):
        target = resolve(topic.path, link.path) if link.path and not link.block else None
        if target and target != topic.path and target.startswith("topics/") and target.endswith(".md"):
            message = f"the link to {target} names no record"
            yield _format(topic, record, message, "link to a record: path#^id")


def _dangling(path: TopicPath, record: Record, block: str) -> Problem:
    message = f"^{record.id} links to ^{block}, which is nowhere"
    return Problem(
        Code.LINK_DANGLING, message, path, record.lines[0], "change or remove the link in the same request"
    )


def _citation(case: Case, topic: Topic, record: Record, source: Cited) -> Iterator[Problem]:
    found = case.source(source.place)
    # What an unknown speaker says is held together with the record that says so.
    own = case.caller.tier is None and source.place in case.archived
    if found is None:
        # A plain handle that means nothing was named already when it should have become a link.
        if "#" in source.target:
            message = f"the source {source.target} is not archived"
            yield _problem(Code.MISSING_SOURCE, topic, record, message, "cite a source that is archived")
    elif found.id in case.facts.forgotten:
        message = f"the source {found.id} was forgotten on {case.facts.forgotten[found.id]}"
        yield _problem(Code.FORGOTTEN, topic, record, message, "leave it out")
    elif not found.trusted and not own:
        message = f"the source {found.id} waits for the owner's consent"
        yield _problem(Code.SOURCE_PENDING, topic, record, message, "promote the source first")
    elif case.caller.tier is None and not own:
        message = "an unknown speaker cites only what the request itself brings"
        yield _problem(Code.NOT_PERMITTED, topic, record, message, "bring it in `sources`")
    elif case.citable is not None and found.id not in case.citable:
        message = f"the source {found.id} is not among those that may be cited here"
        yield _problem(Code.NOT_PERMITTED, topic, record, message, "cite the messages of the batch")


def _append_only(case: Case) -> Iterator[Problem]:
    """What an edit does to what stood there: to the records as they mean it, and to the text as written."""
    remedy = "only the owner changes what is there; add a record instead"
    after = {block: _whole(record) for _, record in _records(case) for block in record.ids}
    for path, topic in case.before.items():
        changed = [r for r in topic.records if any(after.get(block) != _whole(r) for block in r.ids)]
        for record in changed:
            message = f"^{record.id} would be changed"
            yield _problem(Code.APPEND_ONLY_REQUIRED, topic, record, message, remedy)
        data = case.edited.get(path)
        span = overwritten(topic, None if data is None else parse_topic(path, data)[0])
        if span is not None and not changed:
            message = "what stands there would be changed"
            yield Problem(Code.APPEND_ONLY_REQUIRED, message, path, span.line, remedy)


def _only_the_owners(case: Case) -> Iterator[Problem]:
    """What only the owner adds: anything to the core, fields of standing, and links where nobody is known."""
    core = case.after.get(CORE_TOPIC)
    if core is not None and core != case.before.get(CORE_TOPIC):
        yield Problem(
            Code.NOT_PERMITTED, "only the owner writes to it", CORE_TOPIC, remedy="write to another topic"
        )
    stood = _ids(case.before)
    for topic, record in _records(case):
        if stood.isdisjoint(record.ids) and any(group.fields for group in record.evidence):
            names = ", ".join(dict.fromkeys(name for group in record.evidence for name, _ in group.fields))
            message = f"only the owner may {Action.STAND}: {names}"
            yield _problem(Code.NOT_PERMITTED, topic, record, message, "leave the fields out")
        # A link would stand in the way of deleting its target, and would tell whether there is one.
        if stood.isdisjoint(record.ids) and record.links and case.caller.tier is None:
            message = "a record of an unknown speaker links to no other"
            yield _problem(Code.NOT_PERMITTED, topic, record, message, "leave the links out")


def _binds(case: Case, record: Record) -> bool:
    def owners_word(cited: Cited) -> bool:
        found = case.source(cited.place)
        return found is not None and human_of_owner(found)

    return binds(record, owners_word)


def _goes_on(case: Case, was: Record, record: Record) -> bool:
    """Whether an instruction is one that stood there, unchanged, or from before there were tiers.

    One that never rested on the owner's words may be edited as long as it cites nothing new.
    """
    if record.path == CORE_TOPIC != was.path:
        return False
    if substance(was) == substance(record):
        return True
    places = {source.place for source in was.sources}
    same = was.path == record.path and not set(was.ids).isdisjoint(record.ids)
    return same and places.issuperset(s.place for s in record.sources) and not _binds(case, was)


def _whole(record: Record) -> tuple[object, ...]:
    """A record as it stands: its ids, its place, what it says and rests on."""
    return record.ids, record.path, record.headings, substance(record)


def _format(topic: Topic, record: Record, message: str, remedy: str) -> Problem:
    return _problem(Code.INVALID_TOPIC_FORMAT, topic, record, message, remedy)


def _problem(code: Code, topic: Topic | None, record: Record, message: str, remedy: str) -> Problem:
    return Problem(code, message, topic.path if topic else record.path, record.lines[0], remedy)
