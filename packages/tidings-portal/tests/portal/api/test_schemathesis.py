"""Schemathesis against the whole application, by the document it gives of itself: good questions and bad ones.

`make test` asks a few dozen of each operation; with TIDINGS_GATE=1 it is a few hundred.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.portal.api.conftest import NOW, PAGE, SmallWeb
from tests.portal.store.made import NOON, new
from tests.support import GATE
from tidings_portal import store as stores
from tidings_portal.api.openapi import OPERATIONS
from tidings_portal.api.operations import Operation
from tidings_portal.app import application
from tidings_portal.store.records_of_articles import RawPage, StoryDraft
from tidings_portal.store.records_of_people import LOCAL, Scope
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.web.access import make_token
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings

pytestmark = pytest.mark.gate

_MUCH = 10**9
#: What a question that breaks the document's rules may be answered with.
_REFUSED = ["400", "401", "403", "404", "405", "406", "413", "414", "415", "422", "429"]
_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """The document, over an application with a little of everything in it, and a token that may do all."""
    where: Path = tmp_path_factory.mktemp("api") / "news.tidings"
    with stores.open(where) as kept:
        page = RawPage("https://www.harbour.example/1", PAGE.encode(), NOON, "text/html")
        (source,) = kept.add_sources([NewSource("https://harbour.example/feed", folder="Coast")], NOON)
        kept.keep([new(number, sources=(source,), page=page if number == 1 else None) for number in range(1, 5)])
        kept.save_stories([StoryDraft((1, 2), "The coast", "Seals.", "en")])
        made = make_token(scopes=frozenset(Scope))
        assert kept.add_token(made.record, LOCAL, NOON) is not None
        web, settings = SmallWeb(), PortalSettings(hosts=("testserver",), minute_reads=_MUCH, minute_fetches=_MUCH)
        app = application(App(kept, web, web, settings, now=lambda: NOW))
        told = {"checks": {"negative_data_rejection": {"expected-statuses": _REFUSED}}}
        config = SchemathesisConfig.from_dict(told)
        yield schemathesis.openapi.from_asgi("/api/openapi.json", app, config=config), made.secret


def _named(operation: Operation) -> str:
    return f"{operation.method} {operation.path}"


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", OPERATIONS, ids=_named)
def test_no_question_is_answered_wrongly(asked: tuple[Any, str], operation: Operation, mode: GenerationMode) -> None:
    schema, secret = asked
    if mode is GenerationMode.NEGATIVE and operation.takes is None and not operation.body:
        return  # there is nothing to get wrong
    cases = schema[operation.address][operation.method].as_strategy(generation_mode=mode)

    @settings(
        max_examples=200 if GATE else 10,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def ask(case: Any) -> None:
        checks = list(_CHECKS)
        if mode is GenerationMode.NEGATIVE and operation.body.get(case.media_type) is not bytes:
            checks.append(negative_data_rejection)  # of a body that is taken as it is, nothing is wrong beforehand
        if operation.name == "revoke_token":
            case.path_parameters = {"id": 10**6}  # not the one we call with
        case.call_and_validate(headers={"Authorization": f"Bearer {secret}"}, checks=checks)

    ask()
