"""Systems by name, and what their identity depends on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import tidings.extractors.learned
from tidings.errors import BadExpression, BadModel, InputError, UnknownExtractor
from tidings.extractors import entries
from tidings_lab.experiment.code_digest import digest, imported_modules
from tidings_lab.experiment.peers import PEERS
from tidings_lab.experiment.system_names import find, split
from tidings_lab.experiment.systems import Document, Reading
from tidings_lab.experiment.tidings_systems import Default, Extraction
from tidings_lab.learners.site_folds import fold_of


def test_commas_inside_parentheses_are_part_of_a_name() -> None:
    text = "default, n-ext(beta=0.4, measure=cosine),vote(dana, bte, cetd; 2) ,,trafilatura"
    names = ["default", "n-ext(beta=0.4, measure=cosine)", "vote(dana, bte, cetd; 2)", "trafilatura"]
    assert split(text) == names
    assert [system.name for system in find(names)] == names


def test_groups_of_systems_each_once() -> None:
    found = find(["dana", "all", "peers", "trafilatura"])
    assert [system.name for system in found][:1] == ["dana"]
    assert {system.name for system in found} == {entry.name for entry in entries()} | set(PEERS)
    assert len(found) == len(entries()) + len(PEERS)


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("trafilatua", UnknownExtractor, "did you mean trafilatura"),
        ("n-ext(bta=1)", BadExpression, "bta"),
        ("tests.lab.misbehaving:Nothing", InputError, "module:name"),
        ("no.such.module:Nothing", InputError, "module:name"),
        (":", InputError, "module:name"),
        ("tests.lab.misbehaving:not_an_extractor", InputError, "cannot be called"),
    ],
)
def test_a_name_that_means_nothing(name: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        find([name])


def test_code_of_ones_own() -> None:
    (system,) = find(["tests.lab.misbehaving:Raises"])
    reading = system(Document(b"<title>Seals</title><p>Seals are back in the estuary.</p>"))
    assert "Seals are back" in reading.text
    assert system.shares_page


def test_a_system_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tmp_path.joinpath("shouting.py").write_text(
        "from tidings_lab.experiment.systems import Function, Reading\n"
        "def read(document): return Reading(document.data.decode().upper())\n"
        "loud = Function('loud', 'loud 1', read)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    (system,) = find(["shouting:loud"])
    assert (system.name, system(Document(b"seals"))) == ("loud", Reading("SEALS"))


def test_a_page_is_read_by_the_model_that_has_not_seen_its_site(tmp_path: Path) -> None:
    shipped = Path(tidings.extractors.learned.__file__).with_name("default.npz")
    tmp_path.joinpath("without-fold-0.npz").write_bytes(shipped.read_bytes())
    with pytest.raises(InputError, match="no models of folds"):
        find([f"unseen({tmp_path})"])
    tmp_path.joinpath("without-fold-1.npz").write_bytes(b"damaged")
    (system,) = find([f"unseen({tmp_path})"])
    html = b"<h1>Seals</h1>" + b"<p>Seals are back in the estuary, say the wardens of the harbour.</p>" * 9
    one, other = (next(f"{n}.example" for n in range(99) if fold_of(f"{n}.example", 2) == fold) for fold in (0, 1))
    assert system(Document(html, site=one)) == Default()(Document(html))
    with pytest.raises(BadModel):
        system(Document(html, site=other))
    before = system.identity
    tmp_path.joinpath("without-fold-1.npz").write_bytes(b"otherwise damaged")
    assert system.identity != before


def test_identity_tells_parameters_apart() -> None:
    identities = {system.identity for system in find(["n-ext", "n-ext(beta=0.4)", "dana", "vote(dana, bte; 1)"])}
    assert len(identities) == 4
    (again,) = find(["n-ext(beta=0.4)"])
    assert again.identity in identities
    assert "best" not in Default().identity.split()[0]


def test_code_behind_an_extractor_is_its_own_and_what_it_imports() -> None:
    modules = imported_modules(frozenset({"tidings.extractors.published.n_ext"}))
    assert {"tidings.page.page", "tidings.text.stems", "tidings.extractors.published.largest_block"} <= modules
    assert "tidings.extractors.published.cetr" not in modules
    assert "tidings.cli.app" not in modules
    # Changes of the measures invalidate cached rows.
    assert "tidings_lab.metrics.texts" in imported_modules(frozenset({"tidings_lab.experiment.examiner"}))
    # A vote is made of its members.
    (vote,) = find(["vote(bte, cetd; 1)"])
    assert isinstance(vote, Extraction)
    assert vote.identity != find(["vote(bte, dsc; 1)"])[0].identity


def test_a_change_of_code_changes_the_digest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = tmp_path / "changing.py"
    module.write_text("from tidings.extractors.published.bte import BTE\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = digest(["changing"])
    assert digest(["changing"]) == before
    module.write_text("from tidings.extractors.published.bte import BTE\nWEIGHTS = 'weights.json'\n")
    after = digest(["changing"])
    assert after != before
    tmp_path.joinpath("notes.txt").write_text("results of the last run")  # the module does not name it
    assert digest(["changing"]) == after
    tmp_path.joinpath("weights.json").write_text("[1, 2]")
    assert digest(["changing"]) != after
    sys.modules.pop("changing", None)


def test_data_files_of_a_package_count_whatever_they_are_called(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "own_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "blocks.py").write_text("def everything(page):\n    return page.visible\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = digest(["own_package.blocks"])
    (package / "weights.json").write_text("[1, 2]")
    assert digest(["own_package.blocks"]) != before
    sys.modules.pop("own_package", None)


def test_a_document_builds_its_page_once_and_late() -> None:
    document = Document(b"", "https://gazette.example/")  # no page can be made of nothing
    assert document.data == b""
    document = Document(b"<p>Seals</p>")
    assert document.page is document.page
    assert document.url is None
