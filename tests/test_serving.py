"""The pool of services: many callers at once, each with a service that is theirs alone."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.serving import Services
from scriptorium_core.policy import OWNER, Actor
from small_homes import NOW

T = TypeVar("T")


def pool(home: Path, threads: int = 4) -> Services:
    home.mkdir(parents=True, exist_ok=True)
    (home / "settings.toml").write_text('timezone = "UTC"\n')
    return Services(home, moment=lambda: NOW, threads=threads)


def asked(services: Services, *works: Callable[[Service], T]) -> list[T]:
    """The answers of calls that are made at once."""

    async def ask() -> list[T]:
        return await asyncio.gather(*(services.call(OWNER, work) for work in works))

    return asyncio.run(ask())


def test_a_call_is_answered_by_a_service_of_the_home(tmp_path: Path) -> None:
    with pool(tmp_path) as services:
        assert asked(services, lambda service: (service.home, service.moment())) == [(tmp_path, NOW)]
        asked(services, lambda service: service.remember("The spare key hangs in the shed."))
        (rows,) = asked(services, lambda service: service.recent().rows)
    assert [row.record.content for row in rows] == ["The spare key hangs in the shed."]


def test_what_the_work_raises_is_raised(tmp_path: Path) -> None:
    with pool(tmp_path) as services, pytest.raises(Refused, match="MEMORY_NOT_FOUND"):
        asked(services, lambda service: service.topics())


def test_calls_run_beside_one_another_up_to_the_number_of_threads(tmp_path: Path) -> None:
    meeting = threading.Barrier(3, timeout=20)
    running, most, lock = 0, 0, threading.Lock()

    def work(_: Service) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        meeting.wait()
        with lock:
            running -= 1

    with pool(tmp_path, threads=3) as services:
        asked(services, *[work] * 9)
    assert most == 3


def test_a_service_is_used_by_one_thread_alone(tmp_path: Path) -> None:
    users: dict[int, set[int]] = {}
    held: list[Service] = []

    def work(service: Service) -> None:
        held.append(service)  # so that no other takes its place in the store of the process
        users.setdefault(id(service), set()).add(threading.get_ident())

    with pool(tmp_path) as services:
        asked(services, *[work] * 40)
    assert {len(threads) for threads in users.values()} == {1}


def test_each_actor_has_services_of_their_own_and_few_are_kept(tmp_path: Path) -> None:
    names = [f"agent-{number}" for number in range(10)]

    async def ask(services: Services) -> list[tuple[str, Service]]:
        return [await services.call(Actor(name), lambda it: (it.actor.name, it)) for name in names]

    with pool(tmp_path, threads=1) as services:
        answers = asyncio.run(ask(services))
        again = asyncio.run(ask(services))
    assert [name for name, _ in answers] == names
    assert len({id(service) for _, service in answers}) == 10
    assert all(old is not new for (_, old), (_, new) in zip(answers, again, strict=True))


def test_writes_from_many_callers_all_land(tmp_path: Path) -> None:
    def remember(number: int) -> Callable[[Service], Any]:
        return lambda service: service.remember(f"Box {number} stands in the cellar.")

    with pool(tmp_path) as services:
        asked(services, *map(remember, range(8)))
        (rows,) = asked(services, lambda service: service.recent(20).rows)
    assert {row.record.content for row in rows} == {f"Box {n} stands in the cellar." for n in range(8)}


def test_changed_settings_hold_from_the_next_call_on(tmp_path: Path) -> None:
    with pool(tmp_path, threads=1) as services:
        asked(services, lambda service: service.init())
        (tmp_path / "settings.toml").write_text('backend = "none"\ntimezone = "UTC"\n')
        with pytest.raises(Refused, match="switched off"):
            asked(services, lambda service: service.topics())


def test_a_fault_in_one_call_leaves_the_next_a_fresh_service(tmp_path: Path) -> None:
    seen: list[Service] = []

    def fault(service: Service) -> None:
        seen.append(service)
        raise ZeroDivisionError("on purpose")

    with pool(tmp_path, threads=1) as services:
        with pytest.raises(ZeroDivisionError):
            asked(services, fault)
        asked(services, seen.append)
    assert len({id(service) for service in seen}) == 2


def test_who_is_cancelled_while_waiting_never_begins(tmp_path: Path) -> None:
    began, go_on = threading.Event(), threading.Event()
    done: list[str] = []

    def first(_: Service) -> None:
        began.set()
        go_on.wait(20)
        done.append("first")

    async def ask(services: Services) -> None:
        running = asyncio.create_task(services.call(OWNER, first))
        while not began.is_set():
            await asyncio.sleep(0.01)
        waiting = asyncio.create_task(services.call(OWNER, lambda _: done.append("second")))
        await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        go_on.set()
        await running
        await services.call(OWNER, lambda _: done.append("third"))

    with pool(tmp_path, threads=1) as services:
        asyncio.run(ask(services))
    assert done == ["first", "third"]


def test_closing_lets_what_runs_end_and_takes_nothing_more(tmp_path: Path) -> None:
    began, go_on = threading.Event(), threading.Event()

    def work(_: Service) -> str:
        began.set()
        go_on.wait(20)
        return "whole"

    async def ask(services: Services) -> tuple[Any, ...]:
        running = asyncio.create_task(services.call(OWNER, work))
        waiting = asyncio.create_task(services.call(OWNER, lambda _: "never"))
        while not began.is_set():
            await asyncio.sleep(0.01)
        impatient = await asyncio.to_thread(services.close, 0.05)
        go_on.set()
        ended = await asyncio.to_thread(services.close)
        return impatient, ended, *await asyncio.gather(running, waiting, return_exceptions=True)

    services = pool(tmp_path, threads=1)
    impatient, ended, whole, dropped = asyncio.run(ask(services))
    assert (impatient, ended, whole) == (False, True, "whole")
    assert isinstance(dropped, asyncio.CancelledError)
    with pytest.raises(RuntimeError, match="closed"):
        asked(services, lambda service: service.home)
