"""`tidings recipes fit`: link, cut, stems and extractor are chosen on one half of marked events."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from tidings.cli.app import app
from tidings_portal.recipes import fitting
from tidings_portal.recipes.loader import read_recipe
from tidings_portal.recipes.recipe import GroupingMethod, StoryGrouping

PRINTED = StoryGrouping(GroupingMethod.SINGLE_LINK)
SYLLABLES = "ba do ke lu mi no pa re si tu va zo".split()


def marked(folder: Path, *, pages: bool = False, events: int = 8) -> Path:
    """Write a file of four articles of each event. A third of their words belong to the event."""
    lines = []
    for event in range(events):
        rng = Random(event)
        common = ["".join(rng.choices(SYLLABLES, k=4)) for _ in range(20)]
        for number in range(4):
            own = ["".join(rng.choices(SYLLABLES, k=4)) for _ in range(40)]
            words = common + own
            rng.shuffle(words)
            text = " ".join(words) + "."
            line = {"event": f"event {event}", "title": " ".join(common[:4]), "text": text}
            if pages:
                name = f"{event}-{number}.html"
                menu = "".join(f"<li><a href=/{n}>Menu {n}</a></li>" for n in range(9))
                html = f"<html lang=en><title>{line['title']}</title><ul>{menu}</ul><div><p>{text}</p></div></html>"
                folder.joinpath(name).write_text(html)
                line["page"] = name
            lines.append(json.dumps(line))
    path = folder / "day.jsonl"
    path.write_text("\n".join(lines))
    return path


def test_cut_is_chosen_where_the_printed_one_joins_nothing(tmp_path: Path) -> None:
    articles = fitting.read_marked(marked(tmp_path))
    fitted = fitting.fit_grouping(articles, PRINTED)
    assert fitting.pair_score(PRINTED, articles).recall == 0.0
    assert fitted.held_out.recall >= 0.8
    assert fitted.held_out.precision >= 0.9
    assert fitted.grouping.cut > PRINTED.cut


def test_events_of_a_topic_are_in_the_same_half(tmp_path: Path) -> None:
    articles = fitting.read_marked(marked(tmp_path))
    fitted, held_out = fitting.halves(articles)
    assert {article.topic for article in fitted}.isdisjoint(article.topic for article in held_out)
    assert len(fitted) == len(held_out) == len(articles) / 2


def test_pair_scores_by_hand() -> None:
    """Stories {1 2 3} and {4}, events {1 2} and {3 4}: one of three pairs is right, and one of two is present."""
    assert fitting._pairs([(1, 2, 3), (4,)]) & fitting._pairs([(1, 2), (3, 4)]) == {(1, 2)}
    assert fitting.PairScore(1 / 3, 1 / 2).f1 == pytest.approx(0.4)
    assert fitting.PairScore(0.0, 0.0).f1 == 0.0


def test_extractor_is_chosen_by_the_pages(tmp_path: Path) -> None:
    articles = fitting.read_marked(marked(tmp_path, pages=True))
    fitted = fitting.fit_extractor(articles, "everything")
    assert fitted is not None
    assert fitted.extractor != "everything"
    assert fitted.held_out > 0.95
    assert fitting.fit_extractor(fitting.read_marked(marked(tmp_path)), "lbnest") is None


def test_command_writes_a_recipe(tmp_path: Path) -> None:
    store = tmp_path / "news.tidings"
    result = CliRunner().invoke(app, ["recipes", "fit", str(marked(tmp_path)), "--store", str(store)])
    assert result.exit_code == 0, result.output
    assert "lbnest on the held-out half: pair precision" in result.stderr
    from tidings_portal.recipes.catalogue import shipped

    recipe = read_recipe(result.stdout, "mine", shipped)
    assert recipe.extractor == "lbnest"
    assert recipe.grouping.cut > PRINTED.cut


@pytest.mark.parametrize(
    "text", ["", "no JSON", '{"title": "x", "text": "y"}', '{"event": 1, "title": "x", "text": "y"}']
)
def test_unusable_marks_are_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "day.jsonl"
    path.write_text(text)
    result = CliRunner().invoke(app, ["recipes", "fit", str(path), "--store", str(tmp_path / "news.tidings")])
    assert result.exit_code != 0
    assert "day.jsonl has" in " ".join(str(result.output).split()) + str(result.exception)


def test_fit_needs_a_file(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["recipes", "fit", "--store", str(tmp_path / "news.tidings")])
    assert "name the file of marked articles" in str(result.output) + str(result.exception)
