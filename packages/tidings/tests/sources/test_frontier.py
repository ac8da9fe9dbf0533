"""What to visit next: bounded, in order, each page once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tidings import newspaper
from tidings.page import Page
from tidings.sources import CrawlBounds, Frontier, FrontPage, Link, Origin, Purpose, canonical, front_page


def link(path: str) -> Link:
    return Link(canonical(path, "https://a.example/") or "", Origin.FRONT_PAGE)


def page(stories: list[str], sections: list[str]) -> FrontPage:
    return FrontPage(tuple(map(link, stories)), tuple(map(link, sections)))


def test_stories_of_the_front_page_first_then_sections() -> None:
    crawl = Frontier.at("https://a.example/")
    assert crawl.next is not None
    assert crawl.next.purpose is Purpose.LOOK
    crawl = crawl.after(page(["/s1", "/s2"], ["/sport"]))
    visited = []
    while (visit := crawl.next) is not None:
        visited.append((visit.address.rpartition("/")[2], visit.purpose, visit.depth))
        crawl = crawl.after(
            page(["/s2", "/s3", "https://b.example/s4"], ["/sport", "/", "/deep"])
            if visit.purpose is Purpose.LOOK
            else None
        )
    assert visited == [
        ("s1", Purpose.READ, 1),
        ("s2", Purpose.READ, 1),
        ("sport", Purpose.LOOK, 1),
        ("s3", Purpose.READ, 2),
        ("deep", Purpose.LOOK, 2),
    ]
    assert (crawl.read, crawl.scanned) == (3, 3)


def test_the_sister_hosts() -> None:
    found = page(["https://sport.a.example/1", "https://www.a.example/2", "https://b.example/3"], [])
    assert len(Frontier.at("https://a.example/").after(found).waiting) == 2
    assert len(Frontier.at("https://a.example/", CrawlBounds(sisters=False)).after(found).waiting) == 1


def test_a_failed_visit_goes_on_and_an_end_stays_an_end() -> None:
    crawl = Frontier.at("https://a.example/").after(None)
    assert crawl.next is None
    assert crawl.after(page(["/x"], [])) == crawl
    assert Frontier.at("javascript:alert(1)").next is None


def test_a_crawl_of_the_newspaper() -> None:
    stories = {one.url: one for one in newspaper.pages("gazette")}
    crawl, read = Frontier.at("https://gazette.example/", CrawlBounds(sections=5)), []
    while (visit := crawl.next) is not None:
        sample = stories.get(visit.address)
        if visit.purpose is Purpose.READ and sample:
            read.append(sample.gold["title"])
        crawl = crawl.after(
            front_page(Page(sample.html, sample.url)) if sample and visit.purpose is Purpose.LOOK else None
        )
    front = next(newspaper.pages("gazette", page_type="front"))
    assert sorted(read) == sorted(one["title"] for one in front.gold["links"])


paths = st.lists(st.integers(0, 40).map(lambda at: f"/{at}"), max_size=15)


@given(st.lists(st.tuples(paths, paths), max_size=30), st.integers(0, 10), st.integers(0, 5), st.integers(0, 3))
def test_it_ends_within_its_bounds_and_visits_each_page_once(
    pages: list[tuple[list[str], list[str]]], stories: int, sections: int, depth: int
) -> None:
    crawl, visited = Frontier.at("https://a.example/", CrawlBounds(stories, sections, depth)), []
    answers = iter(pages)
    while (visit := crawl.next) is not None:
        visited.append(visit)
        answer = next(answers, None)
        crawl = crawl.after(page(*answer) if answer else None)
    addresses = [visit.address for visit in visited]
    assert len(addresses) == len(set(addresses))
    assert sum(visit.purpose is Purpose.READ for visit in visited) <= stories
    assert sum(visit.purpose is Purpose.LOOK for visit in visited) <= max(sections, 1)
    assert all(visit.depth <= depth for visit in visited if visit.purpose is Purpose.LOOK)
