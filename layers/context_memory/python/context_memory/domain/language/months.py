"""Names of months in several languages, as `words.plain` folds them."""

from __future__ import annotations

# Short forms that are words of their own ("out", "set", "ago") are left out.
_MONTH_NAMES = (
    "january jan januar janner janvier janv enero ene gennaio janeiro januari",
    "february feb februar feber fevrier fevr febrero febbraio fevereiro fev februari",
    "march mar marz mrz mars marzo marco maart mrt",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio maio mei",
    "june jun juni juin junio giugno giu junho",
    "july jul juli juillet juil julio luglio lug julho",
    "august aug aout agosto augustus",
    "september sep sept septembre septiembre settembre setembro",
    "october oct oktober okt octobre octubre ottobre ott outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember dez decembre diciembre dic dicembre dezembro",
)
MONTH = {name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names.split()}
ENGLISH = {number: names.split()[0] for number, names in enumerate(_MONTH_NAMES, start=1)}
