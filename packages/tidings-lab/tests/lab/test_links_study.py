"""The learned judge of links: its training data and its accuracy (LBNEST VI.A)."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tidings.cli.app import app
from tidings.errors import BadModel, InputError, UnknownFormat
from tidings.sources.front.link_model import WEIGHTS, LinkModel, judge
from tidings_lab.studies.links import cross_validated, folds, read_links, study, train, written

MADE = [
    {"url": f"{path}", "site": f"s{site}.example", "text": text, "is_story": story}
    for site in range(12)
    for path, text, story in (
        (f"/news/a-story-of-many-words-{site}", "A story of many words here", True),
        (f"/2026/03/16/what-happened-in-town-{site}", "What happened in town today", True),
        ("/about", "About us", False),
        ("/sport", "Sport", False),
        ("mailto:a@b.example", "Write to us", False),
    )
]


def links_file(tmp_path: Path) -> Path:
    path = tmp_path / "links.jsonl"
    path.write_text("\n".join(map(json.dumps, MADE)), encoding="utf-8")
    return path


def test_it_learns_what_can_be_learned(tmp_path: Path) -> None:
    links = read_links(links_file(tmp_path))
    said = cross_validated(links, count=4) > 0
    assert (said == np.array([link.is_story for link in links])).all()
    table, marks = study(links)
    assert [row[0] for row in table.rows][1] == "four words"
    assert marks.rows


def test_a_site_is_never_both_learned_from_and_measured_on(tmp_path: Path) -> None:
    links = read_links(links_file(tmp_path))
    fold = folds(links, 4)
    by_site: dict[str, set[int]] = {}
    for link, one in zip(links, fold.tolist(), strict=True):
        by_site.setdefault(link.site, set()).add(one)
    assert all(len(found) == 1 for found in by_site.values())
    assert len(set(fold.tolist())) == 4


def test_weights_come_back(tmp_path: Path) -> None:
    learned = train(read_links(links_file(tmp_path)))
    assert LinkModel.of_json(written(learned)) == learned
    for text in ("", "[]", "{}", '{"bias": "x", "weights": {}}', '{"bias": 0, "weights": {"a": "b"}}'):
        with pytest.raises(BadModel):
            LinkModel.of_json(text)
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"url": 1}', encoding="utf-8")
    with pytest.raises(InputError):
        read_links(bad)


@pytest.mark.shared
def test_the_bar_of_the_link_filter(shared_data: Path) -> None:
    links = read_links(shared_data / "links" / "links.jsonl")
    wanted = np.array([link.is_story for link in links])
    assert ((cross_validated(links) > 0) == wanted).mean() >= 0.94


@pytest.mark.shared
def test_the_weights_are_those_of_the_labelled_links(shared_data: Path) -> None:
    learned = train(read_links(shared_data / "links" / "links.jsonl"))
    kept = LinkModel.of_json(files("tidings.sources.front").joinpath(WEIGHTS).read_text("utf-8"))
    assert kept == judge()
    assert set(kept.weights) == set(learned.weights)
    for name, weight in learned.weights.items():
        assert kept.weights[name] == pytest.approx(weight, abs=0.002)


def test_the_measurement(tmp_path: Path) -> None:
    out = tmp_path / "weights.json"
    done = CliRunner().invoke(
        app, ["lab", "links", str(links_file(tmp_path)), "--out", str(out)], catch_exceptions=False
    )
    assert done.exit_code == 0
    assert "four words" in done.stdout
    assert json.loads(out.read_text())["weights"]
    with pytest.raises(UnknownFormat):
        CliRunner().invoke(app, ["lab", "links", str(links_file(tmp_path)), "-f", "x"], catch_exceptions=False)
    single = tmp_path / "single.jsonl"
    single.write_text('{"url": "/a", "site": "s", "text": "t", "is_story": true}')
    with pytest.raises(InputError, match="two sites"):
        CliRunner().invoke(app, ["lab", "links", str(single)], catch_exceptions=False)
