"""Person names in bylines, without "By", roles, dates, URLs and reading times.

The words that a byline may have besides the name are listed here by language.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Final

from tidings.fields.keys import squashed
from tidings.text.patterns import late_pattern

#: Longest text that is read; twelve names fit.
_LONGEST: Final = 400
_EDGES: Final = " -–—|•·:,;/（）"
_AROUND: Final = " -–—|•·:,;/\"'*"
#: More names than this are a masthead or a list of other articles.
MOST: Final = 12

_PREFIX: Final = late_pattern(
    r"""^(?:
      (?:(?:written|posted|published|story|article|words|text|report|compiled|reported|authored|produced|created
        |blog|column
          |guest\ post|opinion|analysis|review|interview|submitted|contributed|added|uploaded|recipe
            |post|guide|feature|essay|news|research|commentary|reporting
              |explainer)\ )?by(?:\b[:\ ]*|(?-i:(?=[A-Z][a-z])))
    | (?:words|text|story|written|author|authors|authored\ by|by|autor|autorin|autoren|autorinnen|autores|autora
      |auteur|auteurs
        |autore|autori|verfasser|verfasserin|forfatter|författare|kirjoittaja|schrijver|tekst|texte|testo|texto
          |redakcja
        |redaktion|skribent|redaktor|journalist|reporter|writer|contributors?|penulis|tác\ giả|yazan|yazar|haber|muhabir
        |автор|автори|авторы|текст|συντάκτης|κείμενο)\ ?[:：]\ *
    | (?:ein(?:e)?\ )?(?:(?:verfasst|geschrieben|erstellt|veröffentlicht|artikel|beitrag|gastbeitrag|kommentar
      |interview|kolumne
        |analyse|text|bericht|essay|rezension|gepostet|eingestellt)\ )?von(?:\ und\ mit)?\ +(?=\w)
    | (?:écrit\ |publié\ |rédigé\ |posté\ |propos\ recueillis\ |texte\ )?par\ +(?=\w)
    | (?:escrito\ |publicado\ |texto\ |redacción\ )?por\ +(?=\w)
    | (?:scritto\ |a\ cura\ |articolo\ )?(?:di|da)\ +(?-i:(?=[^\W\d_a-z]))
    | (?:geschreven\ |gepubliceerd\ )?door\ +(?=\w)
    | (?:skrevet\ |skriven\ |tekst\ |text\ )?(?:av|af)\ +(?-i:(?=[^\W\d_a-z]))
    | (?:napisał|napisała|opracował|opracowała|oprac\.)\ *:?\ *
    | (?:بقلم|كتب|كتبت|كتبه|بواسطة|الكاتب|المؤلف|نویسنده|نویسنده‌|به\ قلم|نگارنده|خبرنگار|گزارش|گزارشگر
      |تحریر)\ ?[:：]?\ +
    | (?:מאת|כתב|כתבה|כתבת|מחבר)\ ?[:：]?\ *
    | (?:作者|記者|记者|文|編輯|编辑|撰文|撰稿|責任編輯|责任编辑|责编|責編|来源|執筆
      |筆者|著者|取材・文|글|기자)\ ?[:：/／|｜]\ *
    | (?:記者|记者|投稿者)\ *
    )""",
    re.IGNORECASE | re.VERBOSE,
)
#: First words of the ASCII prefixes, for a quick first check: most names have no prefix.
_FIRST_WORDS: Final = frozenset(
    (
        "written posted published story article words text report compiled reported authored produced created blog "
        "column guest opinion analysis review interview submitted contributed added uploaded recipe post by author "
        "authors autor autorin autoren autorinnen autores autora auteur auteurs autore autori verfasser "
        "verfasserin forfatter kirjoittaja schrijver tekst texte testo texto redakcja redaktion skribent redaktor "
        "journalist reporter writer contributor penulis yazan yazar haber muhabir ein eine verfasst geschrieben "
        "erstellt artikel beitrag gastbeitrag kommentar kolumne analyse bericht essay rezension gepostet "
        "eingestellt von propos par escrito guide feature news research commentary reporting explainer "
        "contributors publicado por scritto a articolo di da geschreven gepubliceerd door skrevet skriven av af "
        "oprac."
    ).split()
)
_GLUED_PREFIXES: Final = ("by", "oprac.")
#: Start of the rest of a byline: dates, reading times, roles, employers, links.
_BEHIND: Final = late_pattern(
    r"""\s*(?:
      [|•·●▪■◆►»›→⋅∙|｜/]\s | \s[-–—]{1,2}\s | \s-- | \(|\[|<|@\w | \bhttps?:
    | \b(?:published|updated|last\ updated|posted\ on|posted|modified|created|reviewed|fact[- ]checked|edited\ by
      |medically|follow|share
        |read\ more|view\ all|see\ all|about\ the|is\ an?\b|has\ been|on\ behalf|on\ (?=\w+\ \d)|at\ \d|in\ (?=[A-Z])
          |for\ (?=[A-Z])|from\ (?=the\b)
        |photos?\ by|photography|illustrat|image|with\ additional|min\ read|minute|comments?\b|subscribe|contact
          |email|e-mail|bio\b
        |joined|and\ last|read(?:ing)?\ time|disclosure|affiliate|guest\ post|special\ to|via\ )\b
    | \b(?:veröffentlicht|aktualisiert|stand\b|erstellt|zuletzt|am\ \d|vom\ \d|datum|lesezeit|lesedauer|foto\b
      |fotos\b|bild\b
        |zum\ artikel|mehr\ |folgen|teilen|für\ die|ist\ )
    | \b(?:publié|mis\ à\ jour|le\ \d|publicado|actualizado|el\ \d|pubblicato|aggiornato|gepubliceerd|op\ \d
      |publisert|oppdatert|publicerad
        |uppdaterad|opublikowano|aktualizacja|yayın|güncelle)
    | \b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?
      |oct(?:ober)?|nov(?:ember)?
        |dec(?:ember)?|januar|februar|märz|mai|juni|juli|oktober|dezember|mon|tue|wed|thu|fri|sat|sun)\.?,?\ *\d
    | (?<!\w)\d
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_ROLE_WORDS: Final = (
    r"(?:senior|junior|sr\.?|jr\.?|chief|deputy|associate|assistant|managing|executive|contributing|staff|guest|lead"
    r"|principal|former|freelance"
    r"|political|sports?|business|health|science|tech|technology|news|features?|culture|travel|foreign|national"
    r"|global|content|digital"
    r"|web|online|investigative|special|head\ of|vice)"
)
_ROLES: Final = (
    r"(?:editors?(?:[- ]in[- ]chief|[- ]at[- ]large)?|reporter|correspondent|writer|contributor|columnist"
    r"|journalist|author|producer"
    r"|officer|educator|dietitian|nutritionist|horticulturalist|attorney"
    r"|analyst|critic|manager|director|founder|co-founder|ceo|cto|cmo|specialist|strategist|blogger|expert"
    r"|redakteur(?:in)?|redaktion"
    r"|chefredakteur(?:in)?|autor(?:in|a)?|journalist(?:in)?|reporter(?:in)?|korrespondent(?:in)?"
    r"|volontär(?:in)?|redaktor(?:in)?"
    r"|kolumnist(?:in)?|gastautor(?:in)?|freie(?:r)?\ \w+|rédacteur|rédactrice|journaliste|redactor(?:a)?"
    r"|periodista|giornalista"
    r"|redactie|verslaggever|journalista|muhabir|editör|recipe\ developer|marketer|consultant|engineer"
    r"|developer|president|professor)"
)
_ROLE: Final = late_pattern(rf"(?:,\s*|\s+)(?:the\s+)?(?:{_ROLE_WORDS}\s+){{0,3}}{_ROLES}\b.*$", re.IGNORECASE)
#: The words of roles, for a quick first check: most names have none.
_WORDS_OF_ROLES: Final = frozenset(
    (
        "editor editors reporter correspondent writer contributor columnist journalist author producer officer "
        "educator dietitian nutritionist horticulturalist attorney analyst critic manager director founder ceo cto "
        "cmo specialist strategist blogger expert redakteur redakteurin redaktion chefredakteur chefredakteurin "
        "autor autorin autora journalistin reporterin korrespondent korrespondentin redaktor redaktorin kolumnist "
        "kolumnistin gastautor gastautorin freie freier journaliste redactor redactora periodista giornalista "
        "redactie verslaggever journalista muhabir developer marketer consultant engineer president professor"
    ).split()
)
_WORD: Final = late_pattern(r"\w+")
_ROLE_ONLY: Final = late_pattern(rf"^(?:the\s+)?(?:{_ROLE_WORDS}\s+){{0,3}}{_ROLES}\b", re.IGNORECASE)
#: ", Home and Digital Security Expert": removed before names are split at "and".
_JOB: Final = late_pattern(rf",\s*(?:(?:[\w&-]+\s+){{0,5}}{_ROLES}|head\s+of)\b.*$", re.IGNORECASE)
#: An employer right after the name: an agency, or the staff of a newspaper.
_EMPLOYER: Final = late_pattern(
    r"\s+(?:(?:for\s+|of\s+)?(?:the\s+)?(?:associated\s+press|press\s+association|canadian\s+press"
    r"|agence\s+france[- ]presse|reuters|bloomberg(?:\s+news)?|tribune\s+news\s+service)|(?:[\w’'-]+\s+)?staff)$",
    re.IGNORECASE,
)
_EMPLOYED: Final = ("press", "presse", "reuters", "bloomberg", "news", "service", "staff")
#: "Globe Correspondent" after "and": a role, not a second name.
_OFFICE: Final = late_pattern(rf"^(?:\w+\s+){{1,2}}{_ROLES}$", re.IGNORECASE)
_AND: Final = late_pattern(
    r"\s*(?:;|\||\s&\s|\s\+\s|、|，|،|・(?=\S+・)|\s(?:and|und|et|y|e|ed|en|og|och|och|i|ve|и|та|و|και|ja|und\ von"
    r"|sowie)\s)\s*"
)
#: Separators of names, and of places and jobs.
_SIGNS: Final = frozenset(";|&+、，،・,")
#: The ending of the name of a firm or section.
_FIRM: Final = late_pattern(r"\s&\s[^\s,]+$")
_COMMA: Final = late_pattern(r"\s*,\s*(?:and\s+|und\s+|&\s*)?")
_NOBODY: Final = frozenset(map(squashed, Path(__file__).with_name("nobody.txt").read_text("utf-8").splitlines()))
_PARTICLES: Final = frozenset(
    "de da do dos das del della di du d' van von vom zu zur der den ten ter la le les el al bin ibn ben af av y e i "
    "und of the abu st. mc o' op 't s' na".split()
)
#: Words in lower case in names of people and groups.
_SMALL: Final = _PARTICLES | {"editors", "staff", "team", "newsroom"}
_CREDENTIALS: Final = late_pattern(
    r"^(?:[A-Z][A-Za-z]?\.?){0,3}(?:MD|M\.D\.|PhD|Ph\.D\.?|RD|RDN|MS|M\.S\.|MSc|MA|M\.A\.|MBA|BA|BSc|CPA|CFP®?"
    r"|CFA|DO|DDS|DVM|RN|JD|J\.D\.|"
    r"Esq\.?|Jr\.?|Sr\.?|II|III|LCSW|FAND|MPH|FACLM|[A-Z]{2,6}®?)(?:[ ,]+[A-Z][A-Za-z.®-]{1,8})*$"
)
#: An employer after a name: neither a second name nor a degree.
_OUTLET: Final = late_pattern(
    r"^(?:The|Daily|Evening|Sunday|Associated|Agence|Agencia|BBC|CNN|NBC|CBS|ABC|NPR|PBS|AFP|AP|DPA|APA|EFE|ANSA|PTI|ANI"
    r"|UPI|WSJ|NYT|USA|RTE|ITV|MSNBC|CNBC|ESPN|Fox)\b"
    r"|\b(?:News|Newspapers?|Newsroom|Times|Gazette|Herald|Tribune|Magazine|Agency|Media|Zeitung|Nachrichten"
    r"|Washington\ Post|University|Universität)$"
)
#: Firms that built or own the site; they are declared as authors of every page.
_COMPANY: Final = late_pattern(
    r"\b(?:GmbH|AG|KG|Inc|Ltd|LLC|Corp|PLC|B\.?V|S\.?A|S\.?p\.?A|S\.?r\.?l|e\. ?V|Co\. KG)\.?$"
)
#: The last two letters of those, without full stops.
_FIRM_ENDINGS: Final = frozenset("bH AG KG nc td LC rp BV .V SA .A pA rl .l".split()) | {" V"}
#: Digits, a label or a role.
_NO_PERSON: Final = late_pattern(r"\d|:|^[Hh]ead of ")
_HANDLE: Final = late_pattern(r"^[a-z0-9][\w.\-]*$")
_OF_ADDRESSES: Final = frozenset("/.@")
_ADDRESS: Final = late_pattern(r"^(?:https?:)?//|^www\.|\S@\S|\.(?:com|html?|php)\b")


def names(byline: str, *, loose: bool = False) -> tuple[str, ...]:
    """Return the names in one line of a byline; empty if there are none.

    Args:
        byline: one line of text.
        loose: the line was declared as names, so single words, lower case and digits are accepted.
    """
    text = " ".join(unescape(byline[:_LONGEST]).split()).strip(_EDGES)
    while _may_have_prefix(text) and (match := _PREFIX.match(text)):  # "Posted by: Von …"
        text = text[match.end() :].strip(_EDGES)
    if (not loose or len(text) > 60) and (cut := _BEHIND.search(text)):
        text = text[: cut.start()].rstrip(_EDGES)
    parts = _split_at_and(text)
    if len(parts) > 1:
        parts = [part for at, part in enumerate(parts) if not at or not _OFFICE.match(part)]
    people = (_without_role(name).strip(_AROUND) for part in parts for name in _at_commas(part))
    return tuple(dict.fromkeys(name for name in people if is_name(name, loose=loose)))[:MOST]


def _may_have_prefix(text: str) -> bool:
    """Return whether a line may begin with a byline prefix."""
    word = text.partition(" ")[0].partition(":")[0]
    if not word.isascii():
        return True
    word = word.lower()
    return word in _FIRST_WORDS or word.startswith(_GLUED_PREFIXES)


def _split_at_and(text: str) -> list[str]:
    """Split names at "and" and its equivalents."""
    if text.count(" ") < 2 and _SIGNS.isdisjoint(text):  # the common case
        return [text]
    parts = _AND.split(_JOB.sub("", text) if "," in text else text)
    one_word_each = not any(" " in part for part in parts) and "、" not in text
    if one_word_each or (len(parts) == 2 and _FIRM.search(text)):
        return [text]  # "Church and Life" is one name, and so is "Harbour Tax & Accounting"
    return parts


def _without_role(name: str) -> str:
    """Return the name without a role or employer. "The Times editors" stays whole: no person's name precedes the
    role.
    """
    if name.count(" ") > 1 and name.lower().endswith(_EMPLOYED):
        shorter = _EMPLOYER.sub("", name)
        name = shorter if " " in shorter else name
    if name.isascii() and _WORDS_OF_ROLES.isdisjoint(_WORD.findall(name.lower())):
        return name
    bare = _ROLE.sub("", name)
    if bare == name or "," in name[len(bare) : len(bare) + 1]:
        return bare
    return bare if len(bare.split()) > 1 and not bare.startswith("The ") else name


def _at_commas(text: str) -> list[str]:
    """Split names at commas. A degree stays with its name, and "Family, Given" is one name."""
    if "," not in text:
        return [text] if text else []
    pieces = [piece for piece in _COMMA.split(text) if piece]
    result: list[str] = []
    for piece in pieces:
        if result and _OUTLET.search(piece):
            continue
        if result and _CREDENTIALS.match(piece):
            result[-1] += f", {piece}"
        elif result and (_ROLE_ONLY.match(piece) or " " not in piece.strip()):
            continue  # a role, a place, the paper
        else:
            result.append(piece)
    return result


def is_name(text: str, *, loose: bool = False) -> bool:
    """Return whether a text may be a person's name. Letters of scripts without case count as capitals."""
    if (
        not 1 < len(text) <= 60
        or squashed(text) in _NOBODY
        or not (text[0].isalpha() or (loose and _is_numbered(text)))
    ):
        return False
    if not _OF_ADDRESSES.isdisjoint(text) and _ADDRESS.search(text):
        return False
    if "{" in text or "page." in text or text[-1] in "?!:" or _is_firm(text):
        return False
    words = text.replace(",", " ").split()
    if loose:
        return len(words) <= 8
    if len(words) > 6 or _NO_PERSON.search(text) or (len(words) == 3 and words[1] == "&"):
        return False
    return all(
        word[0].lower() != word[0] or not word[0].isalpha() or word.lower() in _SMALL or not _cased(word)
        for word in words
    ) and not _ROLE_ONLY.match(text)


def _is_numbered(text: str) -> bool:
    """Return whether a text has a digit at its start and at least three letters, as account names may."""
    return text[0].isdigit() and sum(map(str.isalpha, text)) > 2


def _is_firm(text: str) -> bool:
    return text.rstrip(".")[-2:] in _FIRM_ENDINGS and _COMPANY.search(text) is not None


def _cased(word: str) -> bool:
    return word.lower() != word.upper()


def is_handle(name: str) -> bool:
    """Return whether a name is a login name: it has dots or underscores and a lower-case initial, and is not a
    person's.
    """
    return bool(_HANDLE.match(name))
