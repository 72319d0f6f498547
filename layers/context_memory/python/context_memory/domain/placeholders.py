"""What stands for "nothing here" in a section: in any bracket style, and in other languages."""

from __future__ import annotations

import re
import unicodedata

_EMPTY = """
empty / still empty / none / none yet / nothing / nothing yet / no entries / no entries yet / n/a / not available
leer / noch leer / keine / keine einträge / keine angaben / nichts / noch nichts
vide / aucun / aucune / néant / rien
vacío / vacio / vacía / vacia / ninguno / ninguna / nada / sin entradas
vuoto / vuota / nessuno / nessuna / niente
vazio / vazia / nenhum / nenhuma
leeg / geen / niets
tom / tomt / ingen / inget / inga / intet / tyhjä
puste / brak / prázdné / prázdno / žádné / prazno / üres / nincs / niciunul
пусто / пустой / нет / нет записей / порожньо / немає / празно / няма
κενό / καμία / boş / yok
空 / 空白 / 空欄 / 无 / 無 / 暂无 / 暫無 / 没有 / 沒有 / なし / 無し / 未記入 / 없음 / 비어 있음 / 비어있음
فارغ / لا شيء / لا يوجد / خالی / ריק / אין / खाली / कोई नहीं / trống / không có / kosong / tidak ada / ว่าง / ไม่มี
"""
_READ_AS_EMPTY = frozenset(
    unicodedata.normalize("NFC", entry) for line in _EMPTY.strip().split("\n") for entry in line.split(" / ")
)
_ALSO_NAMES = frozenset({"Tom"})  # without brackets and with a capital letter it is somebody, not "empty"
_COMMENT = re.compile(r"<!--(.*)-->", re.DOTALL)
_AROUND = " \t\n_*~`\"'()[]{}<>.:…–—-“”„«»‹›（）【】［］「」『』〈〉《》。．"  # noqa: RUF001 - brackets of other scripts are meant


def reads_as_placeholder(text: str) -> bool:
    """Whether the whole of `text` says that there is nothing; words inside a sentence never do."""
    bare = text.strip()
    comment = _COMMENT.fullmatch(bare)
    words = " ".join((comment[1] if comment else bare).strip(_AROUND).split())
    return bare not in _ALSO_NAMES and unicodedata.normalize("NFC", words).casefold() in _READ_AS_EMPTY
