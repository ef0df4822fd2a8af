"""The full text index: tantivy over records and turns, a projection of one commit that may be deleted.

The core makes the terms and the keys (`scriptorium_core.recall`), tantivy stores them as they are and
proposes candidates, the core ranks. No query syntax is parsed anywhere.

The commit that the index stands for is a document of its own, so it changes together with the others in one
commit of tantivy: a process that is killed while it updates leaves the old state, and a reader sees the
old state until the new one is whole. An index of another schema or with damaged files counts as none and
is rebuilt by the next `rebuild`; a folder that is no index of ours is refused and not touched.

tantivy is imported when an index is opened, never before.
"""

from .index import FullText

__all__ = ["FullText"]
