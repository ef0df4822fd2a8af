"""A pool of services: worker threads, each with services that no other thread uses.

A service is for one thread at a time, and its connections to SQLite are bound to the thread that opened
them. So a thread keeps the services that it made, one an actor, and closes them itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from attrs import frozen

from scriptorium_core.policy import Actor

from ..clock import Moment, moment, monotonic
from ..refused import Refused
from ..service import Service
from ..settings import FILE

__all__ = ["Services"]

T = TypeVar("T")

_THREADS = 4
_KEPT = 4


@frozen
class _Job:
    """Work that waits for a thread, and where its result goes."""

    actor: Actor
    work: Callable[[Service], Any]
    done: Future[Any]


class Services:
    """The services of one home for many callers at once; `with` closes it.

    At most `threads` calls run at a time, the others wait in their order. Threads begin when they are needed.
    `memory` None stands for the memory directory of the home.
    """

    def __init__(
        self,
        home: Path,
        memory: Path | None = None,
        moment: Callable[[], Moment] = moment,
        *,
        threads: int = _THREADS,
    ) -> None:
        self.home, self.root, self.moment = home, memory, moment
        self._limit = threads
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._lock = Lock()
        self._unfinished = 0
        self._closed = False

    def __enter__(self) -> Services:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def call(self, actor: Actor, work: Callable[[Service], T]) -> T:
        """What `work` answers, on a worker thread, with a service of the actor; raises what it raises.

        Who is cancelled while waiting never begins; what has begun goes on to its end, and its answer is
        dropped. Raises RuntimeError after `close`.
        """
        done: Future[T] = Future()
        self._take(_Job(actor, work, done))
        return await asyncio.wrap_future(done)

    def close(self, patience: float | None = None) -> bool:
        """Let what runs end, and close all services; what waits is cancelled. Blocks the calling thread.

        Waits at most `patience` seconds (None: as long as it takes); whether everything has ended. What has
        not then is no hindrance to the end of the process: a commit is whole or has not happened.
        """
        with self._lock:
            self._closed = True
            threads = tuple(self._threads)
        self._drop_waiting()
        for _ in threads:
            self._jobs.put(None)
        limit = None if patience is None else monotonic() + patience
        for thread in threads:
            thread.join(None if limit is None else max(limit - monotonic(), 0))
        return not any(thread.is_alive() for thread in threads)

    def _take(self, job: _Job) -> None:
        with self._lock:
            if self._closed:
                raise RuntimeError("the pool of services is closed")
            self._unfinished += 1
            self._jobs.put(job)
            if self._unfinished > len(self._threads) < self._limit:
                name = f"service-{len(self._threads)}"
                thread = Thread(target=self._serve, name=name, daemon=True)
                self._threads.append(thread)
                thread.start()

    def _drop_waiting(self) -> None:
        while True:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return
            if job is not None:
                job.done.cancel()

    def _serve(self) -> None:
        """The life of a worker thread."""
        kept = _Kept(self)
        try:
            while (job := self._jobs.get()) is not None:
                if job.done.set_running_or_notify_cancel():
                    kept.run(job)
                with self._lock:
                    self._unfinished -= 1
                del job  # what was asked and answered is not held while nothing is asked
        finally:
            kept.close()


class _Kept:
    """The services that one thread has made, the one that was used last at the end."""

    def __init__(self, pool: Services) -> None:
        self._pool = pool
        self._services: dict[Actor, tuple[object, Service]] = {}

    def run(self, job: _Job) -> None:
        """Do the work, and hand on what it answers or raises."""
        try:
            answer = job.work(self._service(job.actor))
        except BaseException as error:
            if not isinstance(error, Refused):
                self._forget(job.actor)  # whatever broke in it does not break the next call
            job.done.set_exception(error)
        else:
            job.done.set_result(answer)

    def close(self) -> None:
        """Close them all."""
        for actor in tuple(self._services):
            self._forget(actor)

    def _service(self, actor: Actor) -> Service:
        """The service of an actor; a new one where the settings of the home have changed."""
        stamp = _stamp(self._pool.home / FILE)
        known, service = self._services.pop(actor, (None, None))
        if service is not None and known != stamp:
            service.close()
            service = None
        if service is None:
            pool = self._pool
            service = Service(pool.home, memory=pool.root, moment=pool.moment, actor=actor)
            service.by_meaning = None
        self._services[actor] = stamp, service
        for other in tuple(self._services)[:-_KEPT]:
            self._forget(other)
        return service

    def _forget(self, actor: Actor) -> None:
        _, service = self._services.pop(actor, (None, None))
        if service is not None:
            service.close()


def _stamp(path: Path) -> object:
    """What changes when a file is written anew; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
