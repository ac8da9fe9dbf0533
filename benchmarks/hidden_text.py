"""Print the measure of hidden text: `python -m benchmarks.hidden_text [--pages 250] [--list]`."""

from __future__ import annotations

import argparse
from collections import Counter

from tests.hidden_text.measure import measure
from tests.hidden_text.ways import WAYS


def main() -> None:
    """Measure the ways, and real pages where asked to."""
    parser = argparse.ArgumentParser(
        description="Measure how much hidden text leaks and how much visible text is lost."
    )
    parser.add_argument("--pages", type=int, default=0, help="real pages to compare with Chromium")
    parser.add_argument("--list", action="store_true", help="name every way that fails")
    options = parser.parse_args()
    result = measure(WAYS)
    _share("hidden ways that leak into an output", result.leaks, result.hidden)
    _share("hidden ways in Page.visible", result.page_leaks, result.hidden)
    _share("visible ways that are not in the article", result.lost, result.visible)
    _share("visible ways that the page hides", result.page_lost, result.visible)
    _share("ways that lose a sentence beside them", result.neighbours_lost, len(WAYS))
    if options.list:
        for title, names in vars(result).items():
            if isinstance(names, list):
                print(f"\n{title}")
                print("\n".join(f"  {name}" for name in names))
    if options.pages:
        real_pages(options.pages)


def _share(title: str, failures: list[str], count: int) -> None:
    print(f"{title}: {len(failures)} of {count} ({len(failures) / count:.2%})")


def real_pages(count: int) -> None:
    """Print what is lost and what leaks on real pages."""
    from tests.hidden_text.real_pages import compare  # loads the browser's driver

    result = compare(count)
    print(f"\nwords that Chromium paints: {result.painted:,}")
    print(f"painted, and hidden by Tidings: {result.lost:,} ({result.lost / result.painted:.3%})")
    policy = result.lost_by_cause["class name"] + result.lost_by_cause["aria-hidden"]
    lost = result.lost - policy
    print(f"  without class names whose sheet is elsewhere and aria-hidden: {lost:,} ({lost / result.painted:.3%})")
    _top("  by cause", result.lost_by_cause)
    _top("  by page", result.lost_by_page)
    print(f"not painted, and kept by Tidings: {result.leaked:,} ({result.leaked / result.painted:.3%})")
    _top("  by cause", result.leaked_by_cause)
    _top("  by page", result.leaked_by_page)
    pages = {page for page, _ in result.lost_by_page.most_common(12) + result.leaked_by_page.most_common(12)}
    print("first text of each cause on these pages")
    for name, sample in result.samples.items():
        if name.rpartition(": ")[2] in pages:
            print(f"  {name}\n    {sample}")


def _top(title: str, counts: Counter[str]) -> None:
    print(title)
    for name, words in counts.most_common(12):
        print(f"    {words:7,} {name}")


if __name__ == "__main__":
    main()
