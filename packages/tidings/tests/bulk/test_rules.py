"""Two passes: rules are learned once, into one file, and applied; audits say which are to be retired."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.bulk.made import response
from tests.support import needs
from tidings import extract
from tidings.bulk import BulkSettings, learn, plan, run
from tidings.bulk.report import RunCounts
from tidings.bulk.rules import SiteRules, merged, read_rules, without_retired, write_rules
from tidings.cli.app import app
from tidings.errors import BadRules
from tidings.sites import SiteMemory
from tidings.sites.storage import as_json
from tidings.sites.templates.anchor import Anchor
from tidings.sites.templates.rule import Rule, Template
from tidings.sites.templates.site import Site, TrackedTemplate

pa = needs("pyarrow")
from pyarrow import parquet  # noqa: E402

WORDS = "harbour seals warden herring morning pier river office boats lamps winter market council bridge school".split()


def story(number: int) -> bytes:
    """A page of a site: its frame is always the same, its story never."""
    said = [
        " ".join(WORDS[(number * 7 + line * 5 + place * (number % 6 + 1)) % len(WORDS)] for place in range(40))
        for line in range(4)
    ]
    body = "".join(f"<p>Part {number} {line}: {text}.</p>" for line, text in enumerate(said))
    return f"""<html lang=en><head><title>Report {number} from the harbour | Post</title></head><body>
<div class=top-menu><a href=/a>News</a><a href=/b>Sport</a><a href=/c>Weather</a></div>
<div class=story-column><h1 class=story-title>Report {number} from the harbour</h1>
<div class=story-text>{body}</div></div>
<div class=side-box><h3>More</h3><a href=/{number + 1}>Report {number + 1}</a><a href=/x>Subscribe now</a></div>
<div class=page-foot>The Post, all rights reserved.</div></body></html>""".encode()


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawl")
    for part in range(2):
        large = [response(f"http://post.test/{number}", story(number)) for number in range(30 * part, 30 * part + 30)]
        small = [response(f"http://small.test/{number}", story(number)) for number in range(5 * part, 5 * part + 5)]
        (folder / f"{part}.warc.gz").write_bytes(b"".join(large + small))
    return folder


@pytest.fixture(scope="module")
def rules(crawl: Path) -> str:
    to = str(crawl.parent / "rules.parquet")
    report = learn(plan([str(crawl)]), to, workers=1)
    assert (report.hosts, report.pages, report.enough, report.learned) == (2, 70, 1, 1)
    assert not report.unread
    return to


def rows(folder: Path) -> list[dict[str, Any]]:
    return [row for one in sorted(folder.glob("articles/*.parquet")) for row in parquet.read_table(one).to_pylist()]


def test_hosts_with_enough_pages_are_learned_and_served(crawl: Path, rules: str, tmp_path: Path) -> None:
    settings = BulkSettings(rules=rules, seconds=None, audit_every=5)
    done = list(run(plan([str(crawl)]), str(tmp_path / "out"), settings))
    assert sum(one.by_rules for one in done) == 60
    found = rows(tmp_path / "out")
    assert len(found) == 70
    for row in found:
        assert row["rules"] == read_rules(rules).version
        assert row["by"].startswith("rule ") == (row["site"] == "post.test")
        number = int(row["url"].rpartition("/")[2])
        assert row["text"] == extract(story(number), row["url"]).text
        assert row["title"] == f"Report {number} from the harbour"
    audits = [row["audit"] for row in found if row["audit"]]
    assert 3 < len(audits) < 30
    assert set(audits) == {"agreed"}


def test_the_same_input_gives_the_same_rules(crawl: Path, rules: str, tmp_path: Path) -> None:
    again = learn(plan([str(crawl)]), str(tmp_path / "again.parquet"), workers=2)
    assert again.rules.version == read_rules(rules).version
    assert (tmp_path / "again.parquet").read_bytes() == Path(rules).read_bytes()


def test_rules_that_are_wrong_are_told_by_audits(crawl: Path, rules: str, tmp_path: Path) -> None:
    (site,) = read_rules(rules).sites()
    known = site.templates[0]
    wrong = tuple(
        replace(
            rule,
            anchor=replace(rule.anchor, tag="h1", conditions=()),
            inside=None,
            starts="",
            left="",
            right="",
            path=(),
        )
        if rule.field == "main" and rule.anchor
        else rule
        for rule in known.template.rules
    )
    expected = replace(known.template.expected, words=(0, 10_000))
    broken = replace(site, templates=(TrackedTemplate(replace(known.template, rules=wrong, expected=expected)),))
    write_rules(str(tmp_path / "wrong.parquet"), [broken])
    settings = BulkSettings(rules=str(tmp_path / "wrong.parquet"), seconds=None, audit_every=1)
    list(run(plan([str(crawl / "0.warc.gz")]), str(tmp_path / "out"), settings))
    found = [row for row in rows(tmp_path / "out") if row["site"] == "post.test"]
    assert {row["audit"] for row in found} == {f"otherwise than {known.template.name}"}
    assert all("Part" in row["text"] for row in found), "the long way's text is given"


def test_files_that_hold_no_rules(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"none")
    with pytest.raises(BadRules, match="not a file of rules"):
        read_rules(str(tmp_path / "a.parquet"))
    parquet.write_table(pa.table({"a": [1]}), tmp_path / "b.parquet")
    with pytest.raises(BadRules, match="its mark is 'nothing'"):
        read_rules(str(tmp_path / "b.parquet"))


def _template(name: str, left: str) -> Template:
    return Template(name, rules=(Rule("main", left=left, right="</div>"),))


def test_what_several_learned_stands_side_by_side() -> None:
    one = Site("a.test", (TrackedTemplate(_template("template-1", "<div class=a>")),))
    other = Site(
        "a.test",
        (TrackedTemplate(_template("template-1", "<div class=b>")), TrackedTemplate(_template("x", "<div class=a>"))),
    )
    found = merged([one, other])
    assert [known.template.name for known in found.templates] == ["template-1", "template-2"]
    rules = SiteRules("1", {})
    assert without_retired(rules, {}) == []


def test_audits_retire_a_template_and_not_its_site() -> None:
    counts = RunCounts()
    counts.audits.update({("a.test", "one", True): 30, ("a.test", "two", True): 3, ("a.test", "two", False): 2})
    counts.audits.update({("b.test", "one", True): 30, ("b.test", "one", False): 3, ("c.test", "one", False): 1})
    assert counts.retired() == {"a.test": ["two"]}, "b's are one in eleven, and one of c tells nothing"
    site = Site(
        "a.test",
        (TrackedTemplate(_template("one", "<div class=a>")), TrackedTemplate(_template("two", "<div class=b>"))),
    )
    (left,) = without_retired(SiteRules("1", {"a.test": as_json.dumps(site)}), counts.retired())
    assert [known.template.name for known in left.templates] == ["one"]


def test_commands_that_take_rules_out_and_in(rules: str, tmp_path: Path) -> None:
    command = CliRunner()
    memory = str(tmp_path / "sites.db")
    assert command.invoke(app, ["sites", "import", rules, "--sites", memory]).exit_code == 0
    with_rules = SiteMemory(memory)
    assert with_rules.names() == ["post.test"]
    with_rules.close()
    exported = str(tmp_path / "out.parquet")
    assert command.invoke(app, ["sites", "export", exported, "--sites", memory]).exit_code == 0
    assert read_rules(exported).version == read_rules(rules).version
    (tmp_path / "retired.json").write_text('{"post.test": ["template-1"]}', encoding="utf-8")
    merged_file = str(tmp_path / "merged.parquet")
    done = command.invoke(
        app, ["sites", "merge", rules, exported, "--to", merged_file, "--without", str(tmp_path / "retired.json")]
    )
    assert done.exit_code == 0, done.output
    names = [known.template.name for site in read_rules(merged_file).sites() for known in site.templates]
    assert "template-1" not in names


def test_a_report_shows_the_run_and_names_rules_to_retire(crawl: Path, rules: str, tmp_path: Path) -> None:
    (site,) = read_rules(rules).sites()
    known = site.templates[0]
    wrong = tuple(Rule("main", Anchor("h1")) if rule.field == "main" else rule for rule in known.template.rules)
    expected = replace(known.template.expected, words=(0, 10_000))
    write_rules(
        str(tmp_path / "wrong.parquet"),
        [replace(site, templates=(TrackedTemplate(replace(known.template, rules=wrong, expected=expected)),))],
    )
    settings = BulkSettings(rules=str(tmp_path / "wrong.parquet"), seconds=None, audit_every=1)
    out = tmp_path / "out"
    list(run(plan([str(crawl / "0.warc.gz")]), str(out), settings))
    done = CliRunner().invoke(app, ["bulk", "report", str(out), "--sample", "4"])
    assert done.exit_code == 0, done.output
    html = (out / "report.html").read_text(encoding="utf-8")
    assert "35 pages, 1 file<" in html
    assert html.count("<iframe sandbox srcdoc=") == 4
    assert "default-src &#x27;none&#x27;" in html
    assert "http" not in html.partition("<h2>Some articles")[0].replace("http://www.w3.org", "")
    assert json.loads((out / "retired.json").read_text()) == {"post.test": [known.template.name]}
    assert f"{known.template.name} is to be retired" in html
    assert without_retired(read_rules(rules), {"post.test": ["*"]}) == []
    told = CliRunner().invoke(app, ["bulk", "status", str(out)])
    assert told.exit_code == 0
    assert "35" in told.output
