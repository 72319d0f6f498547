# ruff: noqa: RUF001 - phrases are spelled in their own scripts
"""How short replies agree, refuse, thank and move on, in the languages met most.

Patterns for text in lower case with straight apostrophes and single blanks (`claims.as_spoken`).
"""

from __future__ import annotations

# "no" in these refuses nothing.
AGREEING_IDIOMS = (
    r"\bno (?:problem|worries|doubt|objections?)\b|\bwhy not\b|\bkeine? (?:problem|frage|einwände)\b|\bwarum nicht\b"
    r"|\bpas de (?:souci|problème)s?\b|\bpourquoi pas\b|\bsin problemas?\b|\bpor qué no\b|\bnessun problema\b"
    r"|\bperché no\b|\bsem problemas?\b|\bporque não\b|\bgeen probleem\b|\bwaarom niet\b"
    "|没问题|沒問題|没错|沒錯|不错|不錯|为什么不|為什麼不|問題ありません|問題ない|かまいません|構いません|かまわない"
)

REFUSALS = (
    # Words with hyphens are others: "non-fiction", "no-code".
    r"(?<![\w-])(?:no|nope|nah|not|never|neither|none|nor|cannot|skip|cancel|wrong|incorrect|false|forget it|"
    r"leave it|rather not|stop)(?![\w-])|n't\b|\b(?:dont|doesnt|didnt|isnt|wont)\b"
    r"|\b(?:nein|nee|nö|nicht|nie|niemals|kein\w*|falsch|lass (?:es|das)|weder)\b"
    r"|(?<![\w-])(?:non|pas|jamais|aucune?|faux|laisse tomber)(?![\w-])|\bne (?:\w+ ){1,3}(?:pas|plus|jamais)\b"
    r"|\b(?:nunca|jamás|tampoco|ningun[oa]?|mejor no|mai|nessun\w*|sbagliato|falso|não|nao|nenhum\w*)\b"
    r"|\b(?:niet|geen|nooit|liever niet|nej|inte|ikke|ingen|nigdy|нет|не|никогда|hayır|değil)\b"
    "|不|没|沒|别|別|否|勿|算了|いいえ|いえ|いや|違|ない|ません|結構です|やめ|아니|안 |마세요|싫|없"
    r"|\bلا\b|\bनहीं\b|\bमत\b"
)

_YES = (
    r"(?:yes|yeah|yep|yup|ja|jep|jawohl|oui|ouais|sí|si|sì|sim|tak|да|evet)\b"
    "|是的|对的?|對的?|好的|可以|嗯|当然|當然|はい|うん|ええ|네|예|응|نعم|हाँ|हां"
)
# What stands behind such a yes narrows it: "yes, but not on Mondays". "Ja nicht!" is none.
YES_FIRST = (
    rf"^(?:{_YES})(?: ?[,.!;:\u3001\u3002\u2013\u2014-]"
    r"| (?:but|please|only|aber|bitte|mais|pero|por favor|ma|per favore|mas|maar|но)\b)"
)
AGREEMENTS = (
    rf"(?<!\w)(?:{_YES})"
    r"|\b(?:sure|ok|okay|of course|absolutely|definitely|certainly|exactly|correct|agreed|please do|go ahead|"
    r"klar|gerne?|genau|richtig|stimmt|natürlich|d'accord|bien sûr|exactement|volontiers|claro|vale|exacto|"
    r"por supuesto|certo|esatto|va bene|volentieri|exato|isso mesmo|graag|zeker|klopt|конечно|верно|tamam)\b"
    "|お願い|もちろん|そうです|いいです"
)

THANKS_OR_MOVING_ON = (
    r"(?:(?:great|perfect|cool|nice|super|many|alright|gut|bien|bon|bene|muchas|mille|muito|hartelijk)[ ,.!]*)*"
    r"(?:(?:thanks|thank you|thx|ty|cheers|danke\w*|vielen dank|merci|gracias|grazie|obrigad[oa]|bedankt|"
    r"dank je|dank u|tack|takk|спасибо|dzięki|teşekkür\w*|"
    r"next|move on|moving on|another one|weiter|nächste\w*|suivante?|siguiente|"
    r"prossim[oa]|próxim[oa]|volgende)\b"
    "|谢谢|謝謝|多谢|感谢|下一|ありがとう|どうも|次|감사|고마|شكرا|धन्यवाद)"
)

EVERY_QUESTION = (
    r"(?<!that's )(?<!that is )(?<!at )(?<!above )(?<!after )\ball\b(?! right)|\b(?:both|beide[sn]?|alles|les deux|"
    r"tou(?:s|tes)|ambos|ambas|tod[oa]s|entramb[ie]|tutt[ie]|allebei|alle|obie|оба|обе|все)\b"
    "|都|两个|兩個|全部|両方|どちらも|どっちも|둘 다|모두|كلاهما|दोनों"
)
