"""Workers' writes to the database: leases, signs of life, results.

A lease is a token that is drawn anew each time a job is started. Only who holds the job's present
lease may write about it, so a worker that was taken for dead and comes back can change nothing,
and the rows of a job are written once, in the transaction that makes it done.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    case,
    delete,
    func,
    insert,
    literal,
    select,
)
from sqlalchemy import update as update_table

from lab.queue.database import (
    insert_for,
    jobs,
    metrics,
    now,
    plain,
    reading,
    results,
    supervisor,
    upsert,
    writing,
)

ENDED = ("done", "failed", "cancelled")
DIED = "Its worker ended {} times without getting further; it may need more memory than there is."


@dataclass
class Progress:
    """A worker's news for its next sign of life."""

    done: int = 0
    total: int = 0
    values: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    points: list[dict[str, Any]] = field(default_factory=list)


def lease_next(engine: Engine, lease: str) -> int | None:
    """Take the job that is next; its number, or None where none waits.

    Networks take turns, since a new cookie makes a new owner, and owners of one network: first
    whoever has the fewest jobs running, among these whoever was served longest ago; the jobs of
    one owner in their order.
    """
    others = jobs.alias()
    count = select(func.count()).where(others.c.state == "running")
    last = select(func.coalesce(func.max(others.c.started), 0.0))
    network = others.c.origin == jobs.c.origin
    owner = network & (others.c.owner == jobs.c.owner)
    turns = [
        asked.where(same).scalar_subquery() for same in (network, owner) for asked in (count, last)
    ]
    oldest = (
        select(jobs.c.id)
        .where(jobs.c.state == "queued")
        .order_by(*turns, jobs.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    taken = (
        update_table(jobs)
        .where(jobs.c.id == oldest, jobs.c.state == "queued")
        .values(
            state="running",
            lease=lease,
            worker=None,
            heartbeat=now(),
            attempts=jobs.c.attempts + 1,
            started=func.coalesce(jobs.c.started, now()),
        )
        .returning(jobs.c.id)
    )
    with writing(engine) as connection:
        return connection.scalar(taken)


def held(job: int, lease: str) -> tuple[ColumnElement[bool], ...]:
    """That the job still runs under this lease."""
    return jobs.c.id == job, jobs.c.lease == lease, jobs.c.state == "running"


def begin(engine: Engine, job: int, lease: str, worker: str) -> Row[Any] | None:
    """Start the leased job, once: None where the lease is lost or was begun by another worker."""
    started = (
        update_table(jobs)
        .where(*held(job, lease), jobs.c.worker.is_(None))
        .values(worker=worker, heartbeat=now())
        .returning(jobs)
    )
    with writing(engine) as connection:
        return connection.execute(started).one_or_none()


def wait_with(engine: Engine, leases: Iterable[str]) -> None:
    """Keep leases alive whose workers have not begun yet."""
    waiting = (jobs.c.lease.in_(list(leases)), jobs.c.worker.is_(None))
    with writing(engine) as connection:
        connection.execute(update_table(jobs).where(*waiting).values(heartbeat=now()))


def beat(engine: Engine, job: int, lease: str, progress: Progress) -> tuple[bool, str | None]:
    """A sign of life: whether the lease still holds, and the state the job is asked to take."""
    with writing(engine) as connection:
        row = _write_progress(connection, job, lease, progress, {"heartbeat": now()})
        return row is not None, row.wanted if row else None


def finish(
    engine: Engine,
    job: int,
    lease: str,
    progress: Progress,
    rows: Sequence[Mapping[str, Any]] | None = None,
    error: str | None = None,
) -> bool:
    """End the job under this lease; False where the lease is lost and nothing was written.

    With `rows` it is done, with `error` it has failed, and with neither it takes the state that
    it was asked to take.
    """
    state: ColumnElement[str] = func.coalesce(jobs.c.wanted, "queued")
    if rows is not None or error is not None:
        state = literal("failed" if rows is None else "done")
    with writing(engine) as connection:
        if _write_progress(connection, job, lease, progress, {}) is None:
            return False
        _end(connection, held(job, lease), state, error)
        if rows:
            numbered = [{"job": job, "number": i, "row": plain(row)} for i, row in enumerate(rows)]
            connection.execute(insert(results), numbered)
    return True


def release(engine: Engine, job: int, lease: str, most_deaths: int) -> bool:
    """Put a job back whose worker ended without finishing it; False where it had finished it."""
    with writing(engine) as connection:
        return _put_back(connection, held(job, lease), most_deaths) > 0


def reap(engine: Engine, silence: float, most_deaths: int) -> int:
    """Put back every running job whose worker has been silent for so many seconds."""
    silent = (jobs.c.state == "running", ~_within(jobs.c.heartbeat, silence))
    with writing(engine) as connection:
        return _put_back(connection, silent, most_deaths)


def ask_back(engine: Engine, leases: Iterable[str]) -> None:
    """Ask running jobs to save and to wait in the queue again, where nothing else is asked."""
    mine = (jobs.c.lease.in_(list(leases)), jobs.c.wanted.is_(None))
    with writing(engine) as connection:
        connection.execute(update_table(jobs).where(*mine).values(wanted="queued"))


def holding(engine: Engine, leases: Iterable[str]) -> set[str]:
    """Those of the leases whose jobs still run."""
    with reading(engine) as connection:
        running = (jobs.c.lease.in_(list(leases)), jobs.c.state == "running")
        return set(connection.scalars(select(jobs.c.lease).where(*running)))


def unfinished(engine: Engine) -> bool:
    """Whether a job waits or runs."""
    with reading(engine) as connection:
        some = select(jobs.c.id).where(jobs.c.state.in_(("queued", "running"))).limit(1)
        return connection.scalar(some) is not None


# The one supervisor


def hold(engine: Engine, holder: str, silence: float) -> bool:
    """Be the supervisor, or stay it; False while another one has not been silent for so long."""
    free = (supervisor.c.holder == holder) | ~_within(supervisor.c.heartbeat, silence)
    me = {"holder": holder, "heartbeat": now()}
    with writing(engine) as connection:
        first = insert_for(connection)(supervisor).values(id=1, **me)
        taken = first.on_conflict_do_update(index_elements=["id"], set_=me, where=free)
        return connection.scalar(taken.returning(supervisor.c.id)) is not None


def let_go(engine: Engine, holder: str) -> None:
    """Stop being the supervisor."""
    with writing(engine) as connection:
        connection.execute(delete(supervisor).where(supervisor.c.holder == holder))


def supervised(engine: Engine, silence: float) -> bool:
    """Whether a supervisor has been there within so many seconds."""
    with reading(engine) as connection:
        alive = select(supervisor.c.id).where(_within(supervisor.c.heartbeat, silence))
        return connection.scalar(alive) is not None


def _within(heartbeat: ColumnElement[float], silence: float) -> ColumnElement[bool]:
    """Whether the last heartbeat is so new; one from the future: the clock was changed since."""
    return heartbeat.between(now() - silence, now() + silence)


def _write_progress(
    connection: Connection, job: int, lease: str, progress: Progress, also: dict[str, Any]
) -> Row[Any] | None:
    further = progress.done > jobs.c.furthest
    statement = (
        update_table(jobs)
        .where(*held(job, lease))
        .values(
            done=progress.done,
            total=progress.total,
            values=plain(progress.values),
            seconds=progress.seconds,
            deaths=case((further, 0), else_=jobs.c.deaths),
            furthest=case((further, progress.done), else_=jobs.c.furthest),
            **also,
        )
        .returning(jobs.c.wanted)
    )
    row = connection.execute(statement).one_or_none()
    if row is not None:
        upsert(connection, metrics, [plain({"job": job, **point}) for point in progress.points])
    return row


def _put_back(
    connection: Connection, which: Sequence[ColumnElement[bool]], most_deaths: int
) -> int:
    deaths = jobs.c.deaths + 1
    hopeless = (jobs.c.wanted.is_(None)) & (deaths >= most_deaths)
    state = case((hopeless, "failed"), else_=func.coalesce(jobs.c.wanted, "queued"))
    error = case((hopeless, DIED.format(most_deaths)), else_=None)
    return _end(connection, which, state, error, deaths=deaths)


def _end(
    connection: Connection,
    which: Sequence[ColumnElement[bool]],
    state: ColumnElement[str],
    error: Any,
    **also: Any,
) -> int:
    ended = case((state.in_(ENDED), now()), else_=None)
    gone: dict[str, Any] = dict.fromkeys(("lease", "worker", "heartbeat", "wanted"))
    values = gone | also | {"state": state, "error": error, "finished": ended}
    return connection.execute(update_table(jobs).where(*which).values(**values)).rowcount
