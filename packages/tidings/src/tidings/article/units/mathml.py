"""Convert MathML to LaTeX, for formulas without a LaTeX source."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tidings.page.references import unescape
from tidings.text.patterns import late_pattern

_TOKEN: Final = late_pattern(r"<(/?)(?:m:|mml:)?([a-zA-Z][\w.-]*)([^<>]*?)(/?)>|([^<]+)|<!--.*?-->", re.DOTALL)
_MOST, _DEEPEST = 200_000, 100
_LEAVES: Final = frozenset("mi mn mo mtext ms".split())
_NAMES: Final = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ϵ": "epsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho",
    "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "varphi", "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
    "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi",
    "Ω": "Omega", "∑": "sum", "∏": "prod", "∫": "int", "∮": "oint", "∞": "infty", "∂": "partial", "∇": "nabla",
    "≤": "leq", "≥": "geq", "≠": "neq", "≈": "approx", "≡": "equiv", "×": "times", "÷": "div", "±": "pm", "∓": "mp",
    "⋅": "cdot", "·": "cdot", "→": "to", "←": "leftarrow", "⇒": "Rightarrow", "⇔": "Leftrightarrow", "∈": "in",
    "∉": "notin", "⊂": "subset", "⊆": "subseteq", "∪": "cup", "∩": "cap", "∀": "forall", "∃": "exists", "…": "ldots",
    "⋯": "cdots", "∼": "sim", "∝": "propto", "∘": "circ", "∧": "wedge", "∨": "vee", "¬": "neg", "∅": "emptyset",
    "ℝ": "mathbb{R}", "ℕ": "mathbb{N}", "ℤ": "mathbb{Z}", "ℚ": "mathbb{Q}", "ℂ": "mathbb{C}", "ℓ": "ell", "ℏ": "hbar",
    "√": "surd", "⟨": "langle", "⟩": "rangle", "‖": "|", "∥": "parallel", "⊥": "perp", "†": "dagger", "⊗": "otimes",
    "⊕": "oplus", "↦": "mapsto", "≪": "ll", "≫": "gg",
}  # fmt: skip
_PLAIN: Final = {
    "−": "-",
    "\u2061": "",
    "\u2062": "",
    "\u2063": ",",
    "\u2064": "",
    "\xa0": r"\ ",
    "′": "'",
    "″": "''",
    "∗": "*",
}
_ACCENTS: Final = {"^": "hat", "ˆ": "hat", "¯": "bar", "‾": "overline", "→": "vec", "~": "tilde", "˜": "tilde",
    "˙": "dot", "¨": "ddot"}  # fmt: skip
_LIMITS: Final = frozenset("sum prod int lim max min sup inf oint".split())
_FUNCTIONS: Final = frozenset(
    "sin cos tan log ln exp lim max min sup inf det arg dim ker gcd sinh cosh tanh sec csc cot arcsin arccos "
    "arctan".split()
)


@dataclass(slots=True)
class _MathNode:
    name: str
    attributes: str = ""
    children: list[_MathNode] = field(default_factory=list)
    text: str = ""


def latex(source: str) -> str:
    """Return MathML as LaTeX. Unknown elements are replaced by their contents."""
    root = _MathNode("mrow")
    opened = [root]
    for match in _TOKEN.finditer(source[:_MOST]):
        end, name, attributes, closes, text = match.groups()
        if text is not None:
            opened[-1].text += unescape(text)
        elif name is None:
            continue
        elif end:
            names = [node_at.name for node_at in opened]
            if name.lower() in names[1:]:
                del opened[len(names) - 1 - names[::-1].index(name.lower()) :]
        else:
            node = _MathNode(name.lower(), attributes)
            opened[-1].children.append(node)
            if not closes and len(opened) < _DEEPEST:
                opened.append(node)
    return re.sub(r"\s+", " ", _node_latex(root)).strip()


def _node_latex(node: _MathNode) -> str:
    if node.name in _LEAVES:
        return _leaf(node)
    parts = [
        _node_latex(child)
        for child in node.children
        if child.name not in ("annotation", "annotation-xml", "none", "mprescripts")
    ]
    writer = _WRITERS.get(node.name)
    if writer is not None and len(parts) >= writer[0]:
        return writer[1](node, parts)
    return _concatenate(parts)


def _concatenate(parts: list[str]) -> str:
    result = ""
    for part in parts:
        if result and part and re.search(r"\\[a-zA-Z]+\Z", result) and part[0].isalpha():
            result += " "
        result += part
    return result


def _leaf(node: _MathNode) -> str:
    text = " ".join(node.text.split()) if node.name != "mtext" else node.text
    if node.name == "mtext":
        return rf"\text{{{text}}}" if text.strip() else text
    if text in _FUNCTIONS:
        return "\\" + text + " "
    if node.name == "mi" and len(text) > 1 and text.isascii() and text.isalpha():
        return rf"\mathrm{{{text}}}"
    if node.name == "mo" and text in ("{", "}"):
        return "\\" + text
    symbol = "".join(f"\\{_NAMES[sign]}" if sign in _NAMES else _PLAIN.get(sign, sign) for sign in text)
    if (node.name == "mo" and symbol in "=+-<>") or (
        node.name == "mo" and symbol.startswith("\\") and symbol[1:] not in _LIMITS
    ):
        return f" {symbol} "
    return symbol


def _group(part: str) -> str:
    part = part.strip()
    return part if len(part) == 1 else f"{{{part}}}"


def _scripts(node: _MathNode, parts: list[str]) -> str:
    base = parts[0].strip()
    if len(base) > 1 and not base.startswith("\\") and node.children and node.children[0].name in ("mrow", "mfrac"):
        base = f"{{{base}}}"
    names = {"msub": "_", "munder": "_", "msup": "^", "mover": "^"}
    if node.name == "mover" and parts[1].strip() in ("^", "¯", "‾", "~", "˙", "¨", r"\to", "ˆ", "˜"):
        sign = {r"\to": "→"}.get(parts[1].strip(), parts[1].strip())
        return rf"\{_ACCENTS[sign]}{{{base}}}"
    if node.name in names:
        return f"{base}{names[node.name]}{_group(parts[1])}"
    return f"{base}_{_group(parts[1])}^{_group(parts[2])}"


def _fenced(node: _MathNode, parts: list[str]) -> str:
    low = re.search(r'open="([^"]*)"', node.attributes)
    high = re.search(r'close="([^"]*)"', node.attributes)
    return (low[1] if low else "(") + ",".join(parts) + (high[1] if high else ")")


_WRITERS: Final[dict[str, tuple[int, Callable[[_MathNode, list[str]], str]]]] = {
    "msup": (2, _scripts),
    "msub": (2, _scripts),
    "mover": (2, _scripts),
    "munder": (2, _scripts),
    "msubsup": (3, _scripts),
    "munderover": (3, _scripts),
    "mfrac": (2, lambda _, parts: rf"\frac{{{parts[0].strip()}}}{{{parts[1].strip()}}}"),
    "msqrt": (1, lambda _, parts: rf"\sqrt{{{_concatenate(parts).strip()}}}"),
    "mroot": (2, lambda _, parts: rf"\sqrt[{parts[1].strip()}]{{{parts[0].strip()}}}"),
    "mfenced": (1, _fenced),
    "mtd": (0, lambda _, parts: _concatenate(parts).strip()),
    "mtr": (0, lambda _, parts: " & ".join(parts)),
    "mtable": (1, lambda _, parts: r"\begin{matrix}" + r" \\ ".join(parts) + r"\end{matrix}"),
    "mspace": (0, lambda _, __: " "),
    "semantics": (1, lambda _, parts: parts[0]),
}
