"""Links in Markdown text, and the text that is left of them."""

from __future__ import annotations

import re
import unicodedata

_UNTIL_DELIMITER = r"[^\s<>\"`|\u3001\u3002\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\u300a-\u300f]"
_URL = re.compile(
    rf"(?:(?:(?<![a-z0-9])[a-z][a-z0-9+.-]{{0,30}}|https?|ftp)://|(?<![a-z0-9_.@/-])www\.(?=[^\W_])){_UNTIL_DELIMITER}*",
    re.IGNORECASE,
)
_URL_WITH_BLANK = re.compile(rf"( ?)({_URL.pattern})", re.IGNORECASE)
_DOMAIN = re.compile(
    r"(?<![a-z0-9_@./-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}(?![a-z0-9_@-])", re.IGNORECASE
)
_RUNS_CODE = re.compile(r"(?:javascript|vbscript|data):", re.IGNORECASE)
_AUTHORITY = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//([^/?#]*)", re.IGNORECASE)

_TEXT = r"((?:[^\[\]]|\[[^\[\]]*+\])*+)"
_TARGET = r"\(\s*+(<[^<>\n]*>|(?:[^\s()]|\([^\s()]*+\))*+)(?:\s++(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*+\)"
_MARKDOWN_LINK = re.compile(rf"!?\[{_TEXT}\]{_TARGET}")
_HTML_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_HTML_ANCHOR = re.compile(r"(<a\s[^<>]*>)([^<>]*)</a\s*>", re.IGNORECASE)
_HTML_REFERENCE = re.compile(
    r"\b(?:href|src|srcset|action|data|poster|background)\s*=\s*[\"']?([^\s\"'<>]*)", re.IGNORECASE
)
_ALTERNATIVE = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_AUTOLINK = re.compile(r"<([a-z][a-z0-9+.-]*:[^\s<>]*)>", re.IGNORECASE)
_SENTENCE_MARKS = ".,:;!?'\")]}*_~\u2019\u201d"


def hosts(text: str) -> frozenset[str]:
    """Hosts that `text` names, in links or bare (`docs.example.org`); lower case, without `www.` and port."""
    linked = (_host(found[0]) for found in _URL.finditer(text))
    bare = (_normal(found[0]) for found in _DOMAIN.finditer(_URL.sub(" ", text)))
    return frozenset(host for host in (*linked, *bare) if host)


def unlinked(text: str, kept: frozenset[str]) -> str:
    """`text` with every link to a host outside `kept` replaced by what it says.

    A Markdown link leaves its text, an image its description, an HTML tag with a reference its `alt`; a bare address
    has no text but its path, which stays without host and query. Relative targets lead nowhere from a memory.
    """
    text = _MARKDOWN_LINK.sub(lambda link: link[0] if _is_kept(link[2].strip("<>"), kept) else link[1], text)
    text = _HTML_ANCHOR.sub(lambda link: link[0] if _is_harmless(link[1], kept) else link[2], text)
    text = _HTML_TAG.sub(lambda tag: tag[0] if _is_harmless(tag[0], kept) else _alternative(tag[0]), text)
    text = _AUTOLINK.sub(lambda link: link[0] if _is_kept(link[1], kept) else link[1], text)
    return _URL_WITH_BLANK.sub(lambda url: _without_host(url[1], url[2], kept), text)


def _is_kept(target: str, kept: frozenset[str]) -> bool:
    return _host(target) in kept


def _is_harmless(tag: str, kept: frozenset[str]) -> bool:
    return all(_is_kept(target, kept) for target in _HTML_REFERENCE.findall(tag))


def _alternative(tag: str) -> str:
    found = _ALTERNATIVE.search(tag)
    return (found[1] or found[2] or "") if found else ""


def _without_host(blank: str, url: str, kept: frozenset[str]) -> str:
    if _is_kept(url, kept):
        return blank + url
    address = url.rstrip(_SENTENCE_MARKS)
    # An address within the path or query goes with the rest of what leads to it.
    innermost = address.rpartition("://")[2]
    path = re.split(r"[?#]", innermost)[0].partition("/")[2].strip("/\\")
    return (blank + path if path else "") + url[len(address) :]


def _host(url: str) -> str:
    """The host that a client would go to: behind the last `@`, before the first slash. "" where clients disagree."""
    found = _AUTHORITY.match(_with_slashes(url))
    if found is None or "\\" in url or _RUNS_CODE.match(url):
        return ""
    return _normal(re.sub(r":\d*$", "", found[1].rpartition("@")[2]).rstrip(_SENTENCE_MARKS))


def _with_slashes(url: str) -> str:
    return url if "//" in url else f"//{url}"


def _normal(host: str) -> str:
    return unicodedata.normalize("NFKC", host).casefold().strip(".").removeprefix("www.")
