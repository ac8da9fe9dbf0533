"""Cases of one test as one item: `make test` has half of its items so, and collects in a third of the time.

With `--fold` the cases of a test that needs nothing but its parameters, or what is made once for a module or a session,
run one behind the other in one item. Each that fails is named, with its traceback, and the next one runs all the same.
Without `--fold` every case is an item of its own, to be asked for by its name. A test whose cases must stay apart (each
takes long, so that both cores should have some of them) says `pytest.mark.apart`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, NamedTuple

import pytest

#: Marks that make a difference for a case alone.
_ALONE = {"apart", "xfail", "usefixtures", "hypothesis"}
#: What cases may share although it is made for each test.
_SHARED = {"request"}


class FoldedCase(NamedTuple):
    """What one case is called, and its arguments."""

    name: str
    arguments: dict[str, Any]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Whether tests are folded."""
    parser.addoption("--fold", action="store_true", help="run the cases of a test as one item where they can be")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: Any) -> pytest.Function | None:
    """Make one item of the cases of a test."""
    wanted = collector.config.getoption("--fold") and name.startswith("test")
    return folded(collector, name, obj) if wanted and isinstance(collector, pytest.Module) else None


def folded(collector: pytest.Module, name: str, test: Any) -> pytest.Function | None:
    """All cases of a test as one item; None where it is none that can be folded."""
    if not inspect.isfunction(test):
        return None
    marks = list(getattr(test, "pytestmark", ()))
    tables = [mark for mark in marks if mark.name == "parametrize"]
    if not tables or any(mark.name in _ALONE for mark in marks) or getattr(test, "is_hypothesis_test", False):
        return None
    if any(mark.name == "parametrize" for mark in collector.iter_markers()):
        return None
    cases = _cases(tables)
    if cases is None or len(cases) < 2:
        return None
    rest = [one for one in inspect.signature(test).parameters if one not in cases[0].arguments]
    if not _lasting(collector, rest):
        return None
    whole = _loop(test, cases, rest)
    whole.pytestmark = [mark for mark in marks if mark.name != "parametrize"]  # type: ignore[attr-defined]
    return pytest.Function.from_parent(collector, name=name, callobj=whole)


def _cases(tables: Iterable[pytest.Mark]) -> list[FoldedCase] | None:
    """The cases of several tables; None where one has a mark of its own."""
    columns: list[list[FoldedCase]] = []
    for table in tables:
        if set(table.kwargs) - {"ids", "argnames", "argvalues"}:
            return None
        told = dict(zip(("argnames", "argvalues"), table.args, strict=False)) | dict(table.kwargs)
        names = told["argnames"]
        names = [one.strip() for one in names.split(",")] if isinstance(names, str) else list(names)
        rows = list(told["argvalues"])
        ids = told.get("ids")
        ids = list(ids) if ids is not None and not callable(ids) else ids
        column = []
        for place, row in enumerate(rows):
            label, values = None, (row,) if len(names) == 1 else row
            if hasattr(row, "marks"):  # pytest.param
                if row.marks:
                    return None
                label, values = row.id, row.values
            if label is None and callable(ids):
                label = "-".join(str(_said(ids(value), value)) for value in values)
            elif label is None:
                label = ids[place] if ids is not None else "-".join(str(_said(None, value)) for value in values)
            column.append(FoldedCase(str(label), dict(zip(names, values, strict=True))))
        columns.append(column)
    return [
        FoldedCase("-".join(one.name for one in chosen), dict(pair for one in chosen for pair in one.arguments.items()))
        for chosen in product(*columns)
    ]


def _said(label: object, value: object) -> str:
    return str(label) if label is not None else repr(getattr(value, "__name__", value))[:80]


def _lasting(collector: pytest.Module, names: list[str]) -> bool:
    """Whether all that a test needs, and what that needs, is made once for its module or for longer."""
    manager: Any = collector.session._fixturemanager  # nobody else knows
    asked, seen = [*names, *manager._getautousenames(collector)], {*_SHARED}
    while asked:
        name = asked.pop()
        if name in seen:
            continue
        seen.add(name)
        made = manager.getfixturedefs(name, collector)
        if not made or any(one.scope == "function" or one.params for one in made):
            return False
        asked += [other for one in made for other in one.argnames]
    return True


def _loop(test: Callable[..., object], cases: list[FoldedCase], rest: list[str]) -> Callable[..., None]:
    def whole(**fixtures: Any) -> None:
        failed, skipped = [], []
        for case in cases:
            try:
                test(**fixtures, **case.arguments)
            except pytest.skip.Exception as error:
                skipped.append(f"{case.name}: {error}")
            except (Exception, pytest.fail.Exception) as error:
                failed.append(_report(case, error))
        if failed:
            pytest.fail(f"{len(failed)} of {len(cases)} cases failed\n" + "\n".join(failed), pytrace=False)
        if len(skipped) == len(cases):
            pytest.skip(skipped[0])

    whole.__name__, whole.__doc__, whole.__module__ = test.__name__, test.__doc__, test.__module__
    known = inspect.signature(test).parameters
    whole.__signature__ = inspect.Signature([known[name] for name in rest])  # type: ignore[attr-defined]
    return whole


def _report(case: FoldedCase, error: BaseException) -> str:
    found = pytest.ExceptionInfo.from_exception(error)
    found.traceback = found.traceback[1:] or found.traceback
    return f"--- {case.name}\n{found.getrepr(style='short')}"
