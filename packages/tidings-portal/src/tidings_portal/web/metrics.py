"""Health checks (`/healthz`, `/readyz`) and Prometheus metrics (`/metrics`).

A process that has lost its store must not be restarted, so liveness and readiness are separate. Metrics are labelled by
route template, not by path: labels stay few and have no user input. They are served to this machine or with a token. A
request with forwarding headers never counts as local (HOSTILE 25).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from tidings.errors import StoreError
from tidings_portal.store import Store
from tidings_portal.store.records_of_work import Stage
from tidings_portal.watch.health import with_content
from tidings_portal.watch.supervisor import task_failures
from tidings_portal.web.access import Access, admit, caller_of
from tidings_portal.web.app_state import App, HttpMiddleware, SharedState, app_of
from tidings_portal.web.errors import problem_of, problem_response

#: Maximum number of quarantined items listed individually.
_NAMED: Final = 20
_NEVER: Final = {"cache-control": "no-store"}


async def alive(request: Request) -> Response:  # noqa: ARG001  # as all endpoints
    """Respond while the process is alive."""
    return JSONResponse({"status": "ok"}, headers=_NEVER)


def ready(request: Request) -> Response:
    """Respond with 200 if the store answers, else with 503 and a reason.

    Quarantined items and failing background tasks ("degraded") are reported with 200: a portal can serve without
    them.
    """
    try:
        app = app_of(request)
        app.store.languages()
        aside = _aside(app.store)
        failing = {task.task: task.count for task in task_failures(app.store) if task.is_recent(app.now())}
    except Exception as error:  # any error means not ready
        problem = problem_of(error)
        problem.status = 503
        problem.headers = {**_NEVER, "Retry-After": "5"}
        return problem_response(problem)
    status = {"status": "degraded", "tasks": failing} if failing else {"status": "ok"}
    return JSONResponse({**status, **aside}, headers=_NEVER)


def _aside(store: Store) -> dict[str, object]:
    """Return the numbers and ids of quarantined items. Names and reasons are left out, because they may be private."""
    counts = store.quarantine_counts()
    if not counts:
        return {}
    items = [
        {"stage": entry.stage, "kind": entry.kind, "number": int(entry.item), "since": entry.since.isoformat()}
        for entry in store.quarantine(limit=_NAMED)
        if entry.item.isdigit()
    ]
    return {"set_aside": counts, "items": items}


_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
#: Buckets of response times in seconds; the target is 0.1.
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
#: Headers that show that a request came through a proxy.
_PROXIED: Final = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")
_STORE_KEPT: Final = 10  # lifetime of cached store metrics in seconds


class ServiceMetrics:
    """The metrics of a portal. `registry` combines those of all its server processes."""

    def __init__(self, app: App) -> None:
        own = self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        description = "Requests by route and status."
        self.requests = Counter("tidings_http_requests", description, labels, registry=own)
        description = "Seconds until an answer was sent."
        self.seconds = Histogram("tidings_http_request_seconds", description, labels, buckets=_BUCKETS, registry=own)
        self.under_way = Gauge(
            "tidings_http_requests_under_way", "Requests being answered.", registry=own, multiprocess_mode="livesum"
        )
        Counter("tidings_processes_started", "Processes that began to serve.", registry=own).inc()
        if app.common.measures is not None:
            self.registry = CollectorRegistry()
            MultiProcessCollector(self.registry, str(app.common.measures))  # type: ignore[no-untyped-call]
        self.registry.register(_OfProcesses(app.common))
        self.registry.register(_OfStore(app))


class _OfProcesses(Collector):
    """A collector for the number of server processes."""

    def __init__(self, common: SharedState) -> None:
        self._common = common

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        # Each process has files of its own; those in which it writes what is under way go when it ends.
        folder = self._common.measures
        serving = 1 if folder is None else len(list(folder.glob("gauge_livesum_*.db")))
        started = 1 if folder is None else len(list(folder.glob("counter_*.db")))
        yield _gauge("tidings_processes", "Processes that serve.", serving)
        description = "Processes that ended and were started again."
        yield CounterMetricFamily(
            "tidings_processes_replaced", description, value=max(0, started - self._common.processes)
        )


class _OfStore(Collector):
    """A collector for metrics of the store, computed on request."""

    def __init__(self, app: App) -> None:
        self._app_state = app

    def describe(self) -> list[GaugeMetricFamily]:
        return []  # nothing is counted at the start

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        app = self._app_state
        try:
            yield from app.cache.get("metrics of the store", lambda: list(_counted(app)), _STORE_KEPT)
        except StoreError:
            yield _gauge("tidings_store_up", "Whether the store answers.", 0)


def _counted(app: App) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
    totals, queue = app.store.totals(), app.store.queue(app.now())
    yield _gauge("tidings_store_up", "Whether the store answers.", 1)
    yield _gauge("tidings_articles", "Articles in the store.", totals.articles)
    yield _gauge("tidings_article_versions", "Versions of articles.", totals.versions)
    yield _gauge("tidings_stories", "Stories.", totals.stories)
    yield _gauge("tidings_links", "Links seen.", totals.links)
    yield _gauge("tidings_pages", "Pages kept as they were sent.", totals.pages)
    yield _gauge("tidings_page_bytes", "Bytes of these, compressed.", totals.page_bytes)
    states: dict[str, int] = {}
    counts = app.store.item_counts()
    for one in (with_content(source, counts.get(source.id)) for source in app.store.sources()):
        states[one.state] = states.get(one.state, 0) + 1
    yield _gauge("tidings_teaser_articles", "Articles with only the teaser of their feed.", totals.teasers)
    yield _gauges("tidings_sources", "Sources by how they are.", states)
    waiting = {"waiting": queue.waiting, "leased": queue.leased, "later": queue.later, "failed": queue.failed}
    yield _gauges("tidings_queue", "Pages to fetch.", waiting)
    aside = dict.fromkeys(Stage, 0) | app.store.quarantine_counts()
    failures = CounterMetricFamily(
        "tidings_background_task_failures", "Unexpected exceptions of background tasks.", labels=("task",)
    )
    for task in task_failures(app.store):
        failures.add_metric((task.task,), task.count)
    yield failures
    description = "Items that made a stage raise and are left out of it."
    yield _gauges("tidings_set_aside", description, {stage.value: number for stage, number in aside.items()}, "stage")


def _gauge(name: str, description: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, description, value=value)


def _gauges(name: str, description: str, values: dict[str, int], label: str = "state") -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(name, description, labels=(label,))
    for state, value in sorted(values.items()):
        gauge.add_metric((state,), value)
    return gauge


class MeasuredRequests(HttpMiddleware):
    """Middleware that counts requests and measures their duration."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and record its status and duration."""
        measures = measures_of(scope["app"])
        status, start = 500, time.perf_counter()

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with measures.under_way.track_inprogress():
            try:
                await self._app(scope, receive, sent)
            finally:
                method = scope["method"] if scope["method"] in _METHODS else "other"
                route = getattr(scope.get("route"), "path", "none")
                measures.requests.labels(method, route, status).inc()
                measures.seconds.labels(method, route, status).observe(time.perf_counter() - start)


def measures_of(asgi: Starlette) -> ServiceMetrics:
    """Return the metrics of an application, created on its first request."""
    metrics_of_app: ServiceMetrics | None = getattr(asgi.state, "measures", None)
    if metrics_of_app is None:
        metrics_of_app = asgi.state.measures = ServiceMetrics(asgi.state.tidings)
    return metrics_of_app


def metrics(request: Request) -> Response:
    """Serve the metrics in the text format of Prometheus (0.0.4)."""
    if not is_of_this_machine(request):
        app = app_of(request)
        admit(app, caller_of(request, app), Access.TOKEN)
    body = generate_latest(measures_of(request.app).registry)
    return Response(body, headers={"cache-control": "no-store", "content-type": CONTENT_TYPE_PLAIN_0_0_4})


def is_of_this_machine(request: Request) -> bool:
    """Return whether a request comes from this machine and not through a proxy."""
    if request.client is None or any(name in request.headers for name in _PROXIED):
        return False
    try:
        return ip_address(request.client.host.partition("%")[0]).is_loopback
    except ValueError:
        return False


ROUTES: Final = [Route("/healthz", alive), Route("/readyz", ready), Route("/metrics", metrics)]
