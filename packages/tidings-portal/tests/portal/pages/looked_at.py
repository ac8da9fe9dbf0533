"""What a browser would make of a page: its elements, and what is wrong with them."""

from __future__ import annotations

from html.parser import HTMLParser


class Seen(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        """The attributes of all elements of a name."""
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def words(self) -> str:
        """All text, with single blanks."""
        return " ".join("".join(self.text).split())


def harm(page: str) -> list[str]:
    """What could run, or load something from elsewhere."""
    found = []
    for tag, attributes in Seen(page).elements:
        if tag in {"iframe", "script", "link", "img", "form"}:
            address = attributes.get("src") or attributes.get("href") or attributes.get("action") or "/"
            is_own = address.startswith("/") and not address.startswith(("//", "/\\"))
            if not is_own and attributes.get("rel") != "canonical":
                found.append(f"{tag} {attributes}")
        if tag in {"base", "object", "embed", "math", "style", "foreignobject"}:
            found.append(tag)
        if tag == "meta" and "http-equiv" in attributes:
            found.append(f"meta {attributes}")
        for name, value in attributes.items():
            plain = "".join(value.split()).lower()
            is_running = name.startswith("on") or name in {"style", "srcdoc"}
            if is_running or plain.startswith(("javascript:", "data:")):
                found.append(f"{tag} {name}={value[:60]}")
    return found
